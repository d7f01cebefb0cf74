import type { Day } from '#kernel/values/date.ts'
import type { Order, Demand } from '#demo/simulation/trade/trading.ts'
import { inPacks } from '#demo/simulation/goods.ts'
import { goodsOf, storeOf } from '#demo/simulation/levels.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

/** A plan's line for a demand of one model; a quantity above the proposed one needs a reason. */
const lineOf = (world: World, order: Pick<Order, 'supplier' | 'regime'>) => (demand: Demand) => ({
  specification_sn: demand.good.id,
  quantity: String(demand.quantity),
  supplier_sn: orgId(world, order.supplier),
  supply_regime: order.regime,
  remark: '按周期用量备货',
})

/** The order before it is submitted: written directly, or from a plan that is approved first. Returns its number. */
export function makeOrder(world: World, order: Order, demands: readonly Demand[], expected: Day): Promise<string> {
  if (order.planned) return orderByPlan(world, order, demands, expected)
  return world.hands.add(someone(world, order.buyer, 'buyer'), 'purchaseOrder', {
    counterparty_sn: orgId(world, order.supplier),
    regime: order.regime,
    warehouse_model_inner_sn: storeId(world, order.store),
    order_type: order.type ?? 'refill',
    is_urgent: order.type === 'urgent',
    expected_date: expected,
    ...(order.ward ? { direct_ward_inner_sn: storeId(world, order.ward) } : {}),
    ...(order.remark ? { remark: order.remark } : {}),
    lines: demands.map(demand => ({
      specification_sn: demand.good.id,
      quantity: String(demand.quantity),
      ...(demand.price ? { price: demand.price } : {}),
    })),
  })
}

async function orderByPlan(world: World, order: Order, demands: readonly Demand[], expected: Day): Promise<string> {
  const { hands } = world
  const [writer, head] = [someone(world, order.buyer, 'buyer'), someone(world, order.buyer, 'head')]
  const plan = await hands.add(writer, 'purchasePlan', {
    plan_type: 'monthly',
    warehouse_model_inner_sn: storeId(world, order.store),
    expected_date: expected,
    lines: demands.map(lineOf(world, order)),
  })
  await hands.pass(writer, head, 'purchasePlan', plan)
  await hands.act(writer, 'purchasePlan', 'toOrder', plan)
  const made = await hands.created(orgId(world, order.buyer), 'purchaseOrder', plan)
  if (made === null) throw new Error(`no order was made of plan ${plan}`)
  return made
}

/** Today's plans: one waits for approval, one is approved and not yet ordered, one is a draft. */
export function planOpenPlans(world: World): void {
  for (const [buyer, supplier, store] of [
    ['H01', 'D02', 'H01-W01'],
    ['D01', 'V01', storeOf('D01')],
    ['V01', 'D01', storeOf('V01')],
  ] as const)
    world.plan(world.calendar.ago(0), 9.4, `plans ${buyer}`, async () => {
      const [writer, head] = [someone(world, buyer, 'buyer'), someone(world, buyer, 'head')]
      const stocked = world.catalogue.stocked.filter(
        item => item.store === store && item.supplier === supplier && item.regime === 'purchased',
      )
      const goods = (stocked.length > 0 ? stocked.map(item => item.good) : goodsOf(world, supplier)).filter(
        good => good.tradableUntil === null || good.tradableUntil > world.calendar.ago(-30),
      )
      for (const [at, stage] of (['draft', 'submitted', 'reviewed'] as const).entries()) {
        const demands = goods.slice(at, at + 3).map(good => ({ good, quantity: inPacks(good, 20) }))
        if (demands.length === 0) continue
        const sn = await world.hands.add(writer, 'purchasePlan', {
          plan_type: at === 0 ? 'urgent' : 'monthly',
          warehouse_model_inner_sn: storeId(world, store),
          expected_date: world.calendar.ago(-7),
          lines: demands.map(lineOf(world, { supplier, regime: 'purchased' })),
        })
        if (stage === 'submitted') await world.hands.act(writer, 'purchasePlan', 'submit', sn)
        if (stage === 'reviewed') await world.hands.pass(writer, head, 'purchasePlan', sn)
      }
    })
}
