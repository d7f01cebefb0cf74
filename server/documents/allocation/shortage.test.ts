import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** 库存不足: the figures add up to what was asked, and what is there and not free is named. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, inflator, balloon } = scene
  await scene.shelve(hospital, central, [
    lotOf(inflator, 'QH1', { quantity: '12' }),
    lotOf(inflator, 'QH1', { quantity: '12', location: 'A-01' }),
    lotOf(inflator, 'QH2', { quantity: '20' }),
    lotOf(balloon, 'QH3', { unit_codes: ['QH-1', 'QH-2'] }),
  ])
})
afterAll(() => scene?.close())

const grant = (line: object) => ({
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: scene.ward,
  lines: [line],
})
const asked = (quantity: string, lot_no: string) =>
  attempt(scene.hospital, 'grantOdo', grant({ specification_sn: scene.inflator, quantity, lot_no }))
const submitted = async (kind: string, body: Record<string, unknown>) => {
  const sn = await scene.hospital.add(kind, body)
  await scene.hospital.done(kind, 'submit', sn)
  return sn
}

test('a line that was split by places and lots is asked for as a whole', async () => {
  proves('stock.shortageExplained')
  expectMessage(await asked('99', 'QH1'), /批号QH1 可用24，需要99$/)
})

test('of a line without a lot is said what is there and cannot be taken: expired, of another owner, elsewhere', async () => {
  proves('stock.shortageExplained')
  const { hospital, inflator } = scene
  const without = (more: object) => grant({ specification_sn: inflator, quantity: '99', ...more })
  const said = async (more: object) => (await attempt(hospital, 'grantOdo', without(more))).msg
  expect(await said({})).toMatch(/ 可用44，需要99$/)
  expect(await said({ location: 'A-01' })).toMatch(/ 可用12，需要99（另有在其他货位32）$/)
  expect(await said({ owner_org_sn: scene.d })).toMatch(/ 可用0，需要99（另有属其他货主44）$/)
  const expires = (to: string) =>
    scene.one(
      `update stock_lot s set expiry_date = $1 from lot l where l.id = s.lot_id and l.lot_no = 'QH2' returning 1`,
      to,
    )
  await expires(day(-1))
  expect(await said({})).toMatch(/ 可用24，需要99（另有已过期或召回20）$/)
  await expires(day(700))
})

test('what others have reserved, and a stop that waits for its decision, is named', async () => {
  proves('stock.shortageExplained')
  const { hospital, inflator, central } = scene
  const held = await submitted('grantOdo', grant({ specification_sn: inflator, lot_no: 'QH1', quantity: '5' }))
  const stopped = await submitted('stopSale', {
    warehouse_model_inner_sn: central,
    stop_reason: 'quality',
    lines: [{ specification_sn: inflator, lot_no: 'QH1', quantity: '4' }],
  })
  // A stop that waits for its decision occupies the goods.
  expectMessage(await asked('99', 'QH1'), /批号QH1 可用15，需要99（另有已占用9）$/)
  for (const [kind, sn] of [
    ['grantOdo', held],
    ['stopSale', stopped],
  ] as const)
    await hospital.done(kind, 'unsubmit', sn)
  expect((await hospital.info('grantOdo', held)).state).toBe('draft')
})

test('what is frozen is named once, whether it was reserved or stopped before, and so are single pieces', async () => {
  const { hospital, central, inflator, balloon } = scene
  await scene.shelve(hospital, central, [lotOf(inflator, 'QH4', { quantity: '10' })])
  await submitted('grantOdo', grant({ specification_sn: inflator, lot_no: 'QH4', quantity: '4' }))
  const freeze = async (code: string) => {
    const reply = await hospital.client.post('/v1/business/goodsFreeze/freeze', { code, reason: '可疑' })
    expect(reply.code, reply.msg).toBe(0)
  }
  await freeze('QH4')
  const said = async (specification_sn: string) =>
    (await attempt(hospital, 'grantOdo', grant({ specification_sn, quantity: '99' }))).msg
  expect(await said(inflator)).toMatch(/ 可用44，需要99（另有已冻结10）$/)
  await freeze('QH-1')
  expect(await said(balloon)).toMatch(/ 可用1，需要99（另有已冻结1）$/)
})
