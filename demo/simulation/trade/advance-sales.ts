import { multiply } from '#kernel/values/decimal.ts'
import { goodsOf, storeOf } from '#demo/simulation/levels.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

/** Goods that traders delivered to customers in advance: settled, half settled, open and late, waiting, draft. */
export function planAdvanceSales(world: World): void {
  for (const [org, customer] of [
    ['D01', 'H01'],
    ['V04', 'D02'],
  ] as const)
    for (const [nth, [daysAgo, stage]] of (
      [
        [25, 'settled'],
        [20, 'late'],
        [4, 'half'],
        [2, 'open'],
        [1, 'submitted'],
        [0, 'draft'],
      ] as const
    ).entries())
      world.plan(world.calendar.ago(daysAgo), daysAgo === 0 ? 9.8 : 16.8, `advance ${org}`, () =>
        carry(world, org, customer, nth, stage, daysAgo),
      )
}

type Stage = 'settled' | 'late' | 'half' | 'open' | 'submitted' | 'draft'

async function carry(
  world: World,
  org: string,
  customer: string,
  nth: number,
  stage: Stage,
  daysAgo: number,
): Promise<void> {
  const { hands, calendar } = world
  const [seller, head] = [someone(world, org, 'seller'), someone(world, org, 'head')]
  const shelf = await hands.shelf(orgId(world, org), storeId(world, storeOf(org)))
  const fit = goodsOf(world, org).filter(
    good =>
      !good.isUnitCoded &&
      (shelf.get(good.id) ?? 0) >= 12 &&
      (good.tradableUntil === null || good.tradableUntil > calendar.ago(-60)),
  )
  // Taken from the end of the list: goods a maker bought from the market, to be returned one day, are at its
  // beginning.
  const good = fit.toReversed()[nth % Math.max(1, fit.length)]
  if (!good) return
  const sn = await hands.add(seller, 'advanceSale', {
    counterparty_sn: orgId(world, customer),
    place: '手术室备货',
    warehouse_model_inner_sn: storeId(world, storeOf(org)),
    settle_date: calendar.ago(stage === 'late' || stage === 'settled' ? daysAgo - 7 : -14),
    lines: [{ specification_sn: good.id, quantity: '6', price: multiply(good.makerPrice, '1.4', 2) }],
  })
  if (stage === 'draft') return
  await hands.act(seller, 'advanceSale', 'submit', sn)
  if (stage === 'submitted') return
  await hands.act(head, 'advanceSale', 'review', sn)
  if (stage !== 'settled' && stage !== 'half') return
  await hands.act(someone(world, org, 'finance'), 'advanceSale', 'priceConfirm', sn)
  await hands.act(seller, 'advanceSale', 'toBack', sn)
  const back = await hands.created(orgId(world, org), 'advanceReturn', sn)
  if (back === null) throw new Error(`nothing was made to bring back ${sn}`)
  if (stage === 'half') await hands.edit(seller, 'advanceReturn', back, { lines: [{ line_no: 1, quantity: '1' }] })
  await hands.pass(seller, head, 'advanceReturn', back)
}
