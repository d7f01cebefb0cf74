import type { Day } from '#kernel/day.ts'
import type { Order, Wish } from '#server/demo/simulation/trading.ts'
import { inPacks } from '#server/demo/simulation/goods.ts'
import { goodsOf, storeOf } from '#server/demo/simulation/levels.ts'
import { orgId, someone, storeId, type World } from '#server/demo/simulation/world.ts'

/** What a plan says of each model; whoever wants more than the house proposes says why. */
const lineOf = (world: World, order: Pick<Order, 'supplier' | 'regime'>) => (wish: Wish) => ({
  specification_sn: wish.good.id,
  quantity: String(wish.quantity),
  supplier_sn: orgId(world, order.supplier),
  supply_regime: order.regime,
  remark: '按周期用量备货',
})

/** The order as it stands before it is handed in: written at once, or by a plan that is approved first. Gives its number. */
export function makeOrder(world: World, order: Order, wishes: readonly Wish[], expected: Day): Promise<string> {
  if (order.planned) return orderByPlan(world, order, wishes, expected)
  return world.hands.add(someone(world, order.buyer, 'buyer'), 'purchaseOrder', {
    counterparty_sn: orgId(world, order.supplier),
    regime: order.regime,
    warehouse_model_inner_sn: storeId(world, order.store),
    order_type: order.type ?? 'refill',
    is_urgent: order.type === 'urgent',
    expected_date: expected,
    ...(order.ward ? { direct_ward_inner_sn: storeId(world, order.ward) } : {}),
    ...(order.remark ? { remark: order.remark } : {}),
    lines: wishes.map(wish => ({
      specification_sn: wish.good.id,
      quantity: String(wish.quantity),
      ...(wish.price ? { price: wish.price } : {}),
    })),
  })
}

async function orderByPlan(world: World, order: Order, wishes: readonly Wish[], expected: Day): Promise<string> {
  const { hands } = world
  const [writer, head] = [someone(world, order.buyer, 'buyer'), someone(world, order.buyer, 'head')]
  const plan = await hands.add(writer, 'purchasePlan', {
    plan_type: 'monthly',
    warehouse_model_inner_sn: storeId(world, order.store),
    expected_date: expected,
    lines: wishes.map(lineOf(world, order)),
  })
  await hands.pass(writer, head, 'purchasePlan', plan)
  await hands.act(writer, 'purchasePlan', 'toOrder', plan)
  const made = await hands.laid(orgId(world, order.buyer), 'purchaseOrder', plan)
  if (made === null) throw new Error(`no order was made of plan ${plan}`)
  return made
}

/** Plans of today: one that waits for approval, one approved and not yet ordered, one being written. */
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
        const wishes = goods.slice(at, at + 3).map(good => ({ good, quantity: inPacks(good, 20) }))
        if (wishes.length === 0) continue
        const sn = await world.hands.add(writer, 'purchasePlan', {
          plan_type: at === 0 ? 'urgent' : 'monthly',
          warehouse_model_inner_sn: storeId(world, store),
          expected_date: world.calendar.ago(-7),
          lines: wishes.map(lineOf(world, { supplier, regime: 'purchased' })),
        })
        if (stage === 'submitted') await world.hands.act(writer, 'purchasePlan', 'submit', sn)
        if (stage === 'reviewed') await world.hands.pass(writer, head, 'purchasePlan', sn)
      }
    })
}
