import { addDays, type Day } from '#kernel/values/date.ts'
import { FULL_PACE } from '#demo/simulation/calendar.ts'
import type { Good } from '#demo/simulation/goods.ts'
import type { World } from '#demo/simulation/world.ts'

const dealers: Readonly<Record<string, string>> = { V01: 'D01', V02: 'D01', V03: 'D03', V04: 'D02' }
/** The dealer of a maker. */
export const upstreamOf = (maker: string): string => dealers[maker] ?? maker
/** The store from which a trader sells. */
export const storeOf = (org: string): string => (org === 'D03' ? 'D03-W04' : `${org}-W01`)

/** How many days a dealer's and a maker's stock should last at full pace; ordered in halves, it lasts longer. */
const DEALER_DAYS = 58
const MAKER_DAYS = 75
const lasting = (world: World, day: Day, days: number): number =>
  day < world.calendar.ago(FULL_PACE) ? Math.round(days * 1.25) : days

/** Pieces that hospitals will order from a supplier in the coming days. */
function demand(world: World, supplier: string, good: Good, from: Day, days: number): number {
  return world.catalogue.stocked
    .filter(item => item.supplier === supplier && item.good === good)
    .reduce(
      (sum, item) =>
        sum +
        (item.weekly / 7) * days * 1.15 +
        world.catalogue.surgeryNeed(item.hospital, good.code, from, addDays(from, days)) +
        item.minimum +
        1,
      0,
    )
}

/** Minimum stock of the first size of a high-value product everywhere, so that it can always be ordered. */
const always = (good: Good): number => (good.isFirst && good.isHighValue ? 8 : 2)

export function dealerLevel(world: World, dealer: string, good: Good, day: Day): number {
  return demand(world, dealer, good, day, lasting(world, day, DEALER_DAYS)) + always(good)
}

export function makerLevel(world: World, maker: string, good: Good, day: Day): number {
  return (
    demand(world, upstreamOf(maker), good, day, lasting(world, day, MAKER_DAYS)) +
    demand(world, maker, good, day, lasting(world, day, MAKER_DAYS)) +
    always(good) * 2
  )
}

/**
 * Goods an organisation makes or trades: those some hospital stocks, and the first size of every product of the
 * makers.
 */
export function goodsOf(world: World, org: string): Good[] {
  const { goods, stocked } = world.catalogue
  if (org.startsWith('V'))
    return [...goods.values()].filter(
      good => good.maker === org && (good.isFirst || stocked.some(item => item.good === good)),
    )
  return [...goods.values()].filter(
    good =>
      stocked.some(item => item.supplier === org && item.good === good) ||
      (upstreamOf(good.maker) === org && good.isFirst),
  )
}
