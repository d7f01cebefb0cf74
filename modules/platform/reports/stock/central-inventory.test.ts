import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 中心库库存报表: what is on its way beside the stock, and plans for what is short. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, dealer, central, shop, inflator } = scene
  const lots = [lotOf(inflator, 'CI1', { quantity: '3' }), lotOf(inflator, 'CI2', { quantity: '4' })]
  await scene.shelve(hospital, central, lots)
  await scene.shelve(dealer, shop, [lotOf(inflator, 'CI9', { quantity: '50' })])
})
afterAll(() => scene?.close())

async function rows() {
  const { hospital, central, inflator } = scene
  const asked = { end_date: day(), warehouse_model_inner_sn: central, specification_sn: inflator, pageSize: '500' }
  const reply = await hospital.client.get('/v1/report/centralInventory', asked)
  expect(reply.code, reply.msg).toBe(0)
  return reply
}
const toPlan = (who: Scene['hospital'], keys: readonly string[]) =>
  who.client.post('/v1/report/centralInventory/toPlan', { query: `end_date=${day()}`, sns: JSON.stringify(keys) })

const limits = (low: string, high: string) =>
  scene.one(
    `insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity)
     values ($1, $2, $3, $4, $4, $5)
     on conflict (org_id, warehouse_id, specification_id) do update set min_quantity = excluded.min_quantity,
       reorder_point = excluded.reorder_point, max_quantity = excluded.max_quantity returning 1`,
    scene.h,
    scene.central,
    scene.inflator,
    low,
    high,
  )

test('在途数量 is in one row of a size and store; 生成采购计划 fills up what is short of the ticked goods', async () => {
  const { hospital, dealer, d, central, shop, inflator } = scene
  const po = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [{ specification_sn: inflator, quantity: '5' }],
  })
  await hospital.pass('purchaseOrder', po)
  const { sn: so } = await dealer.from('salesOrder', po)
  await dealer.done('salesOrder', 'review', so)
  const odo = await dealer.add('saleOdo', { source_type: 4, source_sn: so, warehouse_model_inner_sn: shop })
  await dealer.pass('saleOdo', odo)
  const { list, summary } = await rows()
  expect(list.length).toBeGreaterThan(1)
  expect(list.map((row: { in_transit: string | null }) => row.in_transit).filter(Boolean)).toEqual(['5.000'])
  expect(summary.in_transit).toBe('5.000')

  const key = list[0].row_key
  const reader = await scene.clerk('hospital', 'central.reader', [
    'page:/hospital/centralInventoryReport',
    'centralInventory.toPlan',
  ])
  expect((await toPlan(reader, [key])).code).not.toBe(0)
  await limits('90000', '100000')
  const made = await toPlan(
    hospital,
    list.map((row: { row_key: string }) => row.row_key),
  )
  expect(made.code, made.msg).toBe(0)
  const { info } = made
  expect(info.made.kind).toBe('purchasePlan')
  const plan = await hospital.info('purchasePlan', info.made.sn)
  expect(plan).toMatchObject({ warehouse_model_inner_sn: central, plan_type: 'refill' })
  expect(plan.lines).toHaveLength(1)
  expect(plan.lines[0]).toMatchObject({ specification_sn: inflator, quantity: plan.lines[0].proposed_quantity })
  await limits('0', '1')
  expectMessage(await toPlan(hospital, [key]), '所选产品的库存与在途已达上限，或没有维护上下限，无需采购')
})
