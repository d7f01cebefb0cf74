import { afterAll, beforeAll, expect, test } from 'vitest'
import { lotOf, openScene, type Scene } from '../../tests/support/scene.ts'
import { day, type Person } from '../../tests/support/story.ts'

/** 库存查询 by product and by place: what lies there, is promised, is free, is under way, is waiting to be examined. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
}, 60_000)
afterAll(() => scene?.close())

// oxlint-disable-next-line typescript/no-explicit-any -- rows of all reports
const ask = async (who: Person, kind: string, query: Record<string, string> = {}): Promise<any> =>
  who.client.get(`/v1/report/${kind}`, query)

test('stock of a product counts what is promised, under way between stores and from a supplier, and what waits to be examined', async () => {
  const { hospital, dealer, central, shop, inflator, h } = scene
  await scene.rule(h, 'arrival_before_receipt', true)
  await scene.shelve(hospital, central, [
    lotOf(inflator, 'BY1', { quantity: '10', price: '5', location: 'A-01' }),
    lotOf(inflator, 'BY2', { quantity: '4', price: '5', location: 'A-02', expiry_date: day(30) }),
  ])
  await scene.shelve(dealer, shop, [lotOf(inflator, 'BY3', { quantity: '9' })])
  const loss = await hospital.add('loss', {
    warehouse_model_inner_sn: central,
    loss_type: 'missing',
    lines: [{ specification_sn: inflator, lot_no: 'BY1', quantity: '3', line_reason: '缺' }],
  })
  await hospital.done('loss', 'submit', loss)
  const row = async (query: Record<string, string> = {}) =>
    (await ask(hospital, 'stockByProduct', { specification_sn: inflator, ...query })).list[0]
  expect(await row()).toMatchObject({
    quantity: '14.000',
    reserved: '3.000',
    available: '11.000',
    in_transit: null,
    near_quantity: '4.000',
    first_expiry: day(30),
    value: '70.00',
  })
  // A move within the house: on its way to the ward.
  const transfer = await hospital.add('transfer', {
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: scene.ward,
    lines: [{ specification_sn: inflator, lot_no: 'BY1', quantity: '2' }],
  })
  await hospital.pass('transfer', transfer)
  expect(await row({ warehouse_model_inner_sn: scene.ward })).toMatchObject({ quantity: '0.000', in_transit: '2.000' })
  // A supplier's delivery: under way, arrived and waiting for inspection, inspected and waiting to be received.
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'BY3', quantity: '5' }],
  })
  await dealer.pass('saleOdo', odo)
  expect(await row()).toMatchObject({ in_transit: '7.000', pending: null })
  const { sn } = await hospital.from('arrivalOrder', odo)
  await hospital.done('arrivalOrder', 'edit', sn, { warehouse_model_inner_sn: central })
  await hospital.pass('arrivalOrder', sn)
  expect(await row()).toMatchObject({ in_transit: '2.000', pending: '5.000', quantity: '12.000' })
  // Beside each lot that lies there already.
  const lots = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, specification_sn: inflator })
  expect(lots.every(lot => lot.pending_quantity === null)).toBe(true)
  await scene.rule(h, 'arrival_before_receipt', false)
  const places = (
    await ask(hospital, 'stockByPlace', { specification_sn: inflator, warehouse_model_inner_sn: central })
  ).list
  expect(places.map((place: { location: string; quantity: string }) => [place.location, place.quantity])).toEqual([
    ['A-01', '8.000'],
    ['A-02', '4.000'],
  ])
})

test('a day that has passed is summed from the moves; a day to come is refused', async () => {
  const { hospital, inflator } = scene
  const at = async (end_date: string) => ask(hospital, 'stockByProduct', { specification_sn: inflator, end_date })
  expect((await at(day(-1))).list).toEqual([])
  expect((await at(day())).list[0]).toMatchObject({ quantity: '12.000', value: '60.00', reserved: null })
  expect((await at(day(1))).msg).toBe('截止日期不能大于当前日期')
  const now = await ask(hospital, 'stockByProduct', { specification_sn: inflator })
  expect(now.summary.quantity).toBe((await at(day())).summary.quantity)
})

test('what lies below the least or above the most of its store says so, by product and beside each lot', async () => {
  const { hospital, central, inflator } = scene
  const limits = { warehouse_model_inner_sn: central, specification_sn: inflator, reorder_point: '30' }
  const add = (least: string, most: string) =>
    hospital.client.post('/v1/business/warehouseProduct/add', { ...limits, min_quantity: least, max_quantity: most })
  expect((await add('20', '40')).code).toBe(0)
  const level = async () => [
    (await ask(hospital, 'stockByProduct', { specification_sn: inflator })).list[0].level,
    (await hospital.list('stockBalance', { warehouse_model_inner_sn: central, specification_sn: inflator }))[0].level,
  ]
  expect(await level()).toEqual(['low', 'low'])
  await scene.shelve(hospital, central, [lotOf(inflator, 'BY4', { quantity: '50' })])
  expect(await level()).toEqual(['high', 'high'])
})
