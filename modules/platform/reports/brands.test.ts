import { afterAll, beforeAll, expect, it } from 'vitest'
import { reports } from '#app/modules.ts'
import { biBoard } from '#modules/platform/walls/board/bi.board.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 品牌/厂家: goods are found by the name on the box as by that of who made them. */
let scene: Scene
const BRAND = '青岚牌'
beforeAll(async () => {
  scene = await openScene()
  const { hospital, ward, department, inflator, balloon, d } = scene
  await scene.one(
    'update product set brand = $1 where id = (select product_id from specification where id = $2) returning 1',
    BRAND,
    inflator,
  )
  await scene.shelve(hospital, ward, [
    lotOf(inflator, 'BR1', { quantity: '10', price: '50' }),
    lotOf(balloon, 'BR2', { unit_codes: ['BR-1'], owner_org_sn: d }),
  ])
  const use = async (lines: object[]) => {
    const header = { warehouse_model_inner_sn: ward, department_inner_sn: department, use_type: 'consume' }
    await hospital.pass('departmentUse', await hospital.add('departmentUse', { ...header, lines }))
  }
  await use([{ specification_sn: inflator, lot_no: 'BR1', quantity: '3' }])
  await use([{ specification_sn: balloon, lot_no: 'BR2', owner_org_sn: d, unit_codes: ['BR-1'] }])
})
afterAll(() => scene?.close())

const period = { begin_date: day(-1), end_date: day() }
const narrowed = reports.filter(
  ({ parameters, screens }) => 'manufacturer' in parameters && screens.some(({ orgs }) => orgs.includes('H')),
)

it.each(narrowed.map(report => [report.kind, report] as const))('%s is narrowed by brand', async (kind, report) => {
  const asked = Object.fromEntries(Object.entries(period).filter(([name]) => name in report.parameters))
  const reply = await scene.hospital.client.get(`/v1/report/${kind}`, { ...asked, manufacturer: BRAND, pageSize: '50' })
  expect(reply.msg).not.toBe('服务错误')
})

it('what was used of a brand, on the report and on the board, and nothing of another', async () => {
  const { hospital } = scene
  const used = async (manufacturer: string) =>
    (await hospital.client.get('/v1/report/usageDetails', { ...period, manufacturer })).summary.quantity
  expect(await used('青岚')).toBe('3.000')
  expect(await used('没有的牌子')).not.toBe('3.000')
  const board = async (query: object) =>
    (await hospital.client.get(`/v1/business/board/${biBoard.kind}`, { ...period, card: 'figures', ...query })).info
      .answers.used.rows[0]
  expect((await board({ manufacturer: BRAND })).quantity).toBe('3.000')
  expect((await board({})).quantity).toBe('4.000')
})

it('goods are found by their brand where they are chosen, and products on their page', async () => {
  const found = await scene.hospital.list('specification', { q: '青岚' })
  expect(found.map(row => row.specification_sn)).toContain(scene.inflator)
  expect((await scene.hospital.list('product', { q: '青岚' })).length).toBeGreaterThan(0)
  expect(await scene.hospital.list('specification', { q: '没有的牌子' })).toEqual([])
})

it('sums over all organisations are read once a minute, whoever of the platform looks', async () => {
  const platform = await scene.person('platform')
  const counted = async (card: string, query: object = {}) => {
    let statements = 0
    const { options } = scene.server.database.slow as unknown as { options: { debug: unknown } }
    options.debug = () => statements++
    const reply = await platform.client.get(`/v1/business/board/${biBoard.kind}`, { ...period, card, ...query })
    options.debug = false
    expect(reply.code, reply.msg).toBe(0)
    return statements
  }
  const sums = biBoard.cards.filter(({ reads }) => Object.values(reads).some(({ each }) => each !== undefined))
  expect(sums.length).toBeGreaterThan(3)
  for (const { name } of sums) {
    const first = await counted(name)
    const again = await counted(name)
    expect([name, again < 12, again < first]).toEqual([name, true, true])
    // Other days are another question.
    expect(await counted(name, { begin_date: day(-2) })).toBeGreaterThan(again)
  }
})
