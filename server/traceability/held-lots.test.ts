import { afterAll, beforeAll, expect, it } from 'vitest'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** Of a label's two symbols the one with the lot names no goods, and says at the counter all the same what holds it. */
let scene: Scene
let di = ''
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, inflator, v, one, server } = scene
  di = (await one('select udi_di from specification where id = $1', inflator)).udi_di
  await scene.shelve(hospital, central, [
    ...['HLgood', 'HLrecalled', 'HLexpired', 'HLfrozen'].map(lot => lotOf(inflator, lot, { quantity: '5' })),
    lotOf(inflator, 'HLstopped', { quantity: '5', quality_state: 'stopped' }),
  ])
  const { owner } = server.database
  await owner`insert into lot_recall (lot_id, org_id, document_id, recall_sn)
    select id, ${v}, 1, 'ZH7' from lot where lot_no = 'HLrecalled'`
  await owner`update stock_lot set expiry_date = ${day(-1)}
    where lot_id in (select id from lot where lot_no = 'HLexpired')`
  const frozen = { code: 'HLfrozen', reason: '包装破损' }
  expect((await hospital.client.post('/v1/business/goodsFreeze/freeze', frozen)).msg).toBe('')
})
afterAll(() => scene?.close())

const nothing = { recall_sn: null, stopped: false, freezes: [], expired_on: null }
const cases = [
  ['HLgood', null],
  ['HLrecalled', { recall_sn: 'ZH7' }],
  ['HLstopped', { stopped: true }],
  ['HLfrozen', { freezes: ['包装破损'] }],
  ['HLexpired', { expired_on: day(-1) }],
] as const

it.each(cases)('the second symbol of %s, and a whole label, say what holds the lot', async (lot, held) => {
  const { client } = scene.hospital
  const until = day(700).slice(2).replaceAll('-', '')
  const expected = held === null ? [] : [{ ...nothing, specification_sn: scene.inflator, lot_no: lot, ...held }]
  for (const code of [`(17)${until}(10)${lot}`, `]C117${until}10${lot}`, `10${lot}`, `(01)${di}(17)${until}(10)${lot}`])
    expect((await client.post('/v1/code/parse', { code })).info.held_lots, code).toEqual(expected)
  // Other goods with a lot of this number are others.
  const other = (await scene.one('select udi_di from specification where id = $1', scene.stent)).udi_di
  expect((await client.post('/v1/code/parse', { code: `(01)${other}(10)${lot}` })).info.held_lots).toEqual([])
})

it('a second symbol is no code that somebody has to look after', async () => {
  const before = await scene.one('select count(*)::int as n from error_record where org_id = $1', scene.h)
  await scene.hospital.client.post('/v1/code/parse', { code: '(17)301231(10)HLgood' })
  expect(await scene.one('select count(*)::int as n from error_record where org_id = $1', scene.h)).toEqual(before)
})
