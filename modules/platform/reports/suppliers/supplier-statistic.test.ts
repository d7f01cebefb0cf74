import { afterAll, beforeAll, expect, test } from 'vitest'
import { divide, multiply, sum } from '#kernel/values/decimal.ts'
import { expectMessage, openScene, owed, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 供应商统计: how a supplier delivered, what is owed to him, and his score. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const weights = {
  on_time_rate: '35',
  fill_rate: '25',
  acceptance_rate: '25',
  licence_rate: '10',
  service_rate: '5',
}
const range = { begin_date: day(-20), end_date: day() }
const receipt = (order: string, quantity: string, lot: string) => ({
  source_type: 3,
  source_sn: order,
  counterparty_sn: scene.d,
  warehouse_model_inner_sn: scene.central,
  lines: [{ source_line_no: 1, quantity, lot_no: lot, production_date: day(-60), expiry_date: day(700) }],
})
async function ordered(quantity: string, expected: string): Promise<string> {
  const { hospital, d, central, inflator } = scene
  const sn = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    business_date: day(-10),
    expected_date: expected,
    lines: [{ specification_sn: inflator, quantity }],
  })
  await hospital.pass('purchaseOrder', sn)
  return sn
}
async function received(order: string, quantity: string, lot: string): Promise<string> {
  const sn = await scene.hospital.add('purchaseGrn', receipt(order, quantity, lot))
  await scene.hospital.pass('purchaseGrn', sn)
  return sn
}
async function ask(query: Record<string, string> = {}) {
  const reply = await scene.hospital.client.get('/v1/report/supplierStatistic', {
    ...range,
    group_by: 'supplier_name',
    ...query,
  })
  expect(reply.code, JSON.stringify(reply)).toBe(0)
  return reply.list as Record<string, string | null>[]
}
const dealerOf = async (query: Record<string, string> = {}) => (await ask({ supplier_sn: scene.d, ...query }))[0]!

test('lines in time of those due, pieces of those ordered, and what is owed as the ledger has it', async () => {
  const { hospital, d } = scene
  const before = (await ask({ supplier_sn: d }))[0]
  const inTime = await ordered('10', day())
  const late = await ordered('10', day(-5))
  await received(inTime, '10', 'GYS1')
  const last = await received(late, '6', 'GYS2')
  await ordered('5', day(5))
  const row = await dealerOf()
  expect(row).toMatchObject({
    order_count: '3',
    // At the agreed price of 145.
    order_amount: '3625.00',
    due_count: '2',
    on_time_rate: '0.5000',
    // Sixteen of the twenty pieces that were due.
    fill_rate: '0.8000',
    received_amount: '2320.00',
    returned_amount: '0.00',
    goods_count: '1',
  })
  expect(before?.order_count ?? '0').toBe('0')
  // A rate that is not known has no weight: nothing was inspected yet.
  expect(row.acceptance_rate).toBeNull()
  const known = Object.entries(weights).filter(([name]) => row[name] !== null)
  const points = sum(
    known.map(([name, weight]) => multiply(row[name]!, weight, 6)),
    6,
  )
  const whole = sum(
    known.map(([, weight]) => weight),
    0,
  )
  expect(row.score).toBe(divide(multiply(points, '100', 6), whole, 2))
  expect(row.payable_amount).toBe((await owed(hospital, d)).payable)
  // Its last receipt goes back: a receipt less, and no return.
  await hospital.done('purchaseGrn', 'redReverse', last, { reason: '录错' })
  expect(await dealerOf()).toMatchObject({ received_amount: '1450.00', fill_rate: '0.5000' })
  const lines = await hospital.client.get('/v1/report/supplierFigures', { ...range, supplier_sn: d, side: 'due' })
  expect(lines.list.map((line: { in_time: string }) => String(line.in_time)).toSorted()).toEqual(['0', '1'])
})

test('the score weighs what is known; an expired licence is none; service is judged by hand, 0 to 100', async () => {
  const { hospital, d, h } = scene
  const add = (body: object) => hospital.client.post('/v1/business/supplierServiceScore/add', body as never)
  expectMessage(await add({ supplier_sn: d, valid_from: day(-1), score: '101' }), '服务评分应在0至100之间')
  const { service_rate: unknown, licence_rate } = await dealerOf({ cooperation: 'all' })
  expect([unknown, licence_rate]).toEqual([null, '1.0000'])
  expect((await add({ supplier_sn: d, valid_from: day(-1), score: '80' })).code).toBe(0)
  expect(await dealerOf({ cooperation: 'all' })).toMatchObject({ service_rate: '0.8000', licence_rate: '1.0000' })
  const expired = await scene.server.database.owner`
    update licence set valid_to = ${day(-2)}, long_term = false
     where id = (select id from licence where org_id = ${h} and holder_id = ${d} and status = 'enabled'
       and audit_state = 'passed' order by id limit 1) returning id`
  expect(expired).toHaveLength(1)
  const row = await dealerOf({ cooperation: 'all' })
  expect(row).toMatchObject({ licence_state: 'expired', licence_rate: '0.0000' })
})

test('suppliers without business in the period stand only where all are asked for', async () => {
  const moved = await ask()
  const all = await ask({ cooperation: 'all' })
  expect(all.length).toBeGreaterThan(moved.length)
  const idle = all.filter(row => !moved.some(each => each.supplier_name === row.supplier_name))
  expect(idle.every(row => row.order_count === '0' && row.received_amount === '0.00')).toBe(true)
})
