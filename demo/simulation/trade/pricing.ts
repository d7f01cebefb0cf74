import { multiply } from '#kernel/values/decimal.ts'
import { goodsOf } from '#demo/simulation/levels.ts'
import { orgId, someone, type World } from '#demo/simulation/world.ts'

/** Price documents of hospitals: in effect, effective in future, waiting, draft. */
export function planPriceAdjustments(world: World): void {
  for (const hospital of ['H01', 'H02'] as const)
    world.plan(world.calendar.ago(0), 9.9, `price documents ${hospital}`, async () => {
      const { hands, calendar } = world
      const [writer, head] = [someone(world, hospital, 'buyer'), someone(world, hospital, 'head')]
      const items = world.catalogue.stocked.filter(item => item.hospital === hospital)
      for (const [at, [stage, days]] of (
        [
          ['reviewed', 0],
          ['reviewed', -10],
          ['submitted', -5],
          ['draft', -5],
        ] as const
      ).entries()) {
        const item = items[items.length - 1 - at]
        if (!item) continue
        const sn = await hands.add(writer, 'priceAdjustment', {
          adjust_type: 'purchase',
          adjust_reason: at === 0 ? 'collective' : 'contract',
          counterparty_sn: orgId(world, item.supplier),
          policy_no: at === 0 ? '国家组织集采第四批' : null,
          effective_on: calendar.ago(days),
          lines: [{ specification_sn: item.good.id, new_price: multiply(item.good.makerPrice, '1.35', 2) }],
        })
        if (stage !== 'draft') await hands.act(writer, 'priceAdjustment', 'submit', sn)
        if (stage === 'reviewed') await hands.act(head, 'priceAdjustment', 'review', sn)
      }
    })
}

/** Price documents of traders: general selling prices in effect for some weeks, waiting, and one draft. */
export function planTraderPrices(world: World): void {
  for (const trader of ['D01', 'V01'] as const)
    world.plan(world.calendar.ago(12), 16.9, `price documents ${trader}`, async () => {
      const { hands, calendar } = world
      const [writer, head] = [someone(world, trader, 'keeper'), someone(world, trader, 'head')]
      const goods = goodsOf(world, trader)
      for (const [at, stage] of (['reviewed', 'submitted', 'draft'] as const).entries()) {
        const good = goods.at(-1 - at)
        if (!good) continue
        const sn = await hands.add(writer, 'priceAdjustment', {
          adjust_type: 'sale',
          adjust_reason: 'market',
          policy_no: at === 0 ? '2026年度价格表' : null,
          effective_on: calendar.ago(stage === 'reviewed' ? 12 : -10),
          lines: [{ specification_sn: good.id, new_sale: multiply(good.makerPrice, '1.3', 2) }],
        })
        if (stage !== 'draft') await hands.act(writer, 'priceAdjustment', 'submit', sn)
        if (stage === 'reviewed') await hands.act(head, 'priceAdjustment', 'review', sn)
      }
    })
}
