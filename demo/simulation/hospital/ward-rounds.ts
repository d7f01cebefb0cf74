import { addDays, type Day } from '#kernel/values/date.ts'
import type { Regime } from '#kernel/definition/document.ts'
import { FULL_PACE, rounds, seasonOf, workingDay } from '#demo/simulation/calendar.ts'
import { chance } from '#demo/simulation/random.ts'
import { codesOf, expiryOf, type Good, inPacks, lotNo, mayTrade } from '#demo/simulation/goods.ts'
import { dealerLevel, goodsOf, makerLevel, storeOf } from '#demo/simulation/levels.ts'
import { planOrder, QUICK, type Demand } from '#demo/simulation/trade/trading.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

/** Interval in days at which a hospital's store orders from a supplier, and since which day before the load day. */
const rhythms: readonly (readonly [store: string, supplier: string, regime: Regime, pace: number, from: number])[] = [
  ['H01-W04', 'D01', 'consigned', 28, FULL_PACE - 1],
  ['H01-W07', 'D01', 'consigned', 28, FULL_PACE - 1],
  ['H01-W04', 'D02', 'consigned', 35, FULL_PACE - 1],
  ['H02-W03', 'D01', 'consigned', 35, FULL_PACE - 1],
  ['H02-W03', 'D02', 'consigned', 56, FULL_PACE - 1],
  ['H01-W03', 'D03', 'consigned', 28, FULL_PACE - 1],
  ['H01-W03', 'V03', 'consigned', 42, FULL_PACE - 1],
  ['H01-W01', 'D02', 'purchased', 28, 170],
  ['H01-W02', 'D02', 'purchased', 42, 170],
  ['H01-W02', 'D01', 'purchased', 63, 163],
  ['H01-W01', 'D03', 'purchased', 35, 170],
  ['H01-W03', 'D03', 'purchased', 28, 170],
  ['H01-W03', 'V03', 'purchased', 35, 163],
  ['H02-W01', 'D02', 'purchased', 28, 163],
  ['H02-W01', 'D03', 'purchased', 56, 163],
  ['H02-W02', 'D03', 'purchased', 35, 170],
]

/** The shortage of a store in goods of a supplier, for the days until its next order and two weeks more. */
const lacks =
  (world: World, store: string, supplier: string, regime: Regime, every: number) =>
  async (on: Day): Promise<Demand[]> => {
    const hospital = store.slice(0, 3)
    const shelf = await world.hands.shelf(orgId(world, hospital), storeId(world, store))
    return world.catalogue.stocked
      .filter(item => item.store === store && item.supplier === supplier && item.regime === regime)
      .map(item => {
        const until = addDays(on, every + 12)
        const wanted =
          (item.weekly / 7) * (every + 14) * seasonOf(on) +
          world.catalogue.surgeryNeed(hospital, item.good.code, on, until) +
          Math.max(1, item.minimum)
        const missing = Math.ceil(wanted - (shelf.get(item.good.id) ?? 0))
        return { good: item.good, quantity: missing > 0 ? inPacks(item.good, missing) : 0 }
      })
  }

export function planHospitalOrders(world: World): void {
  for (const [store, supplier, regime, pace, from] of rhythms) {
    const mood = chance(`orders ${store} ${supplier} ${regime}`)
    for (const { daysAgo, every, number: round } of rounds(from, pace, 6)) {
      const late = mood.next() < 0.08 ? 4 : 0
      const inspected =
        (store === 'H02-W01' && round % 2 === 0) || (store === 'H01-W03' && regime === 'purchased' && round % 3 === 1)
      const how = !inspected
        ? {}
        : { inspected: ({ 1: 'abnormal', 2: 'unqualified', 4: 'mistaken' } as const)[round] ?? ('plain' as const) }
      planOrder(
        world,
        daysAgo,
        {
          buyer: store.slice(0, 3),
          supplier,
          regime,
          store,
          demand: lacks(world, store, supplier, regime, every),
          planned: regime === 'purchased' && round % 2 === 1,
          ...how,
        },
        { ...QUICK, receive: 2 + late },
      )
    }
  }
}

/**
 * Dealers order from makers every four weeks, in the first half of the year half of their goods each time; each creates
 * one inspection on the way.
 */
export function planDealerOrders(world: World): void {
  for (const [dealer, maker, from] of [
    ['D01', 'V01', 176],
    ['D01', 'V02', 175],
    ['D02', 'V04', 174],
    ['D03', 'V03', 173],
  ] as const) {
    const goods = goodsOf(world, dealer).filter(good => good.maker === maker)
    for (const { daysAgo, every, number: round } of rounds(from, PACE, 6)) {
      const halves =
        every > PACE ? [goods.filter((_, at) => at % 2 === 0), goods.filter((_, at) => at % 2 === 1)] : [goods]
      const how = round === 1 ? { inspected: 'plain' as const } : round === 3 ? { inspected: 'abnormal' as const } : {}
      for (const [nth, half] of halves.entries())
        planOrder(
          world,
          daysAgo - nth * (PACE + 2),
          {
            buyer: dealer,
            supplier: maker,
            regime: 'purchased',
            store: storeOf(dealer),
            demand: day => belowLevel(world, dealer, half, day),
            planned: round % 2 === 1,
            ...how,
          },
          { confirm: 0, ship: 2, receive: 4 },
        )
    }
  }
}

/** Days between a dealer's orders to a maker. */
const PACE = 28

/** Goods of which a dealer has less than it should, and how many pieces it lacks. */
async function belowLevel(world: World, dealer: string, goods: readonly Good[], day: Day): Promise<Demand[]> {
  const shelf = await world.hands.shelf(orgId(world, dealer), storeId(world, storeOf(dealer)))
  return goods.map(good => {
    const missing = Math.ceil(dealerLevel(world, dealer, good, day) - (shelf.get(good.id) ?? 0))
    return { good, quantity: missing > 0 ? inPacks(good, missing) : 0 }
  })
}

/** Makers fill their stores a week before the dealers order. */
export function planProduction(world: World): void {
  for (const [maker, from] of [
    ['V01', 180],
    ['V02', 179],
    ['V03', 178],
    ['V04', 180],
  ] as const)
    for (const { daysAgo } of rounds(from, 28, 3)) {
      const day = workingDay(world.calendar.ago(daysAgo))
      world.plan(day, 8.5, maker, () => produce(world, maker, day))
    }
}

async function produce(world: World, maker: string, day: Day): Promise<void> {
  const made = addDays(day, -6)
  const shelf = await world.hands.shelf(orgId(world, maker), storeId(world, storeOf(maker)))
  const batches = goodsOf(world, maker).flatMap(good => {
    const missing = Math.ceil(makerLevel(world, maker, good, day) - (shelf.get(good.id) ?? 0))
    return missing > 0 && mayTrade(good, day) ? [{ good, quantity: inPacks(good, missing) }] : []
  })
  if (batches.length === 0) return
  const [writer, head] = [someone(world, maker, 'keeper'), someone(world, maker, 'head')]
  const sn = await world.hands.add(writer, 'otherGrn', {
    warehouse_model_inner_sn: storeId(world, storeOf(maker)),
    grn_type: 'produce',
    batch_no: `SC${made.replaceAll('-', '')}`,
    release_no: `FX${day.replaceAll('-', '')}`,
    lines: batches.map(({ good, quantity }) => ({
      specification_sn: good.id,
      lot_no: lotNo(good, made),
      production_date: made,
      expiry_date: expiryOf(good, made),
      quantity: String(quantity),
      price: good.makerPrice,
      ...(good.isUnitCoded ? { unit_codes: codesOf(good, lotNo(good, made), quantity) } : {}),
    })),
  })
  await world.hands.pass(writer, head, 'otherGrn', sn)
}

/** Goods that an operating theatre waits for are delivered directly to it. */
function planDirectOrders(world: World): void {
  for (const daysAgo of [62, 12])
    planOrder(world, daysAgo, {
      buyer: 'H01',
      supplier: 'D02',
      regime: 'purchased',
      store: 'H01-W01',
      ward: 'H01-W12',
      demand: async () =>
        world.catalogue.stocked
          .filter(item => item.store === 'H01-W01' && item.supplier === 'D02' && item.regime === 'purchased')
          .slice(0, 2)
          .map(({ good }) => ({ good, quantity: inPacks(good, 10) })),
      type: 'urgent',
      remark: '手术室急用，直送科室',
    })
}

/**
 * Dealers buy from each other, hospitals from a second dealer, and makers buy samples of their own goods from the
 * market.
 */
export function planSideOrders(world: World): void {
  const some =
    (codes: readonly string[], quantity: number, withPrice = false) =>
    async (): Promise<Demand[]> =>
      codes.flatMap(code => {
        const good = world.catalogue.goods.get(code)
        return good ? [{ good, quantity, ...(withPrice ? { price: good.makerPrice } : {}) }] : []
      })
  planDirectOrders(world)
  const sutures = ['P034-01', 'P034-02', 'P034-03', 'P039-01']
  for (const daysAgo of [150, 100, 45])
    planOrder(world, daysAgo, {
      buyer: 'D01',
      supplier: 'D02',
      regime: 'purchased',
      store: 'D01-W01',
      demand: some(sutures, 36),
    })
  for (const daysAgo of [140, 60])
    planOrder(world, daysAgo, {
      buyer: 'H01',
      supplier: 'D01',
      regime: 'purchased',
      store: 'H01-W02',
      demand: some(sutures.slice(0, 2), 24),
    })
  for (const [at, [maker, dealer]] of (
    [
      ['V01', 'D01'],
      ['V02', 'D01'],
      ['V03', 'D03'],
      ['V04', 'D02'],
    ] as const
  ).entries()) {
    const own = goodsOf(world, maker)
      .filter(good => !good.isUnitCoded)
      .slice(0, 2)
      .map(good => good.code)
    const codes =
      own.length > 0
        ? own
        : goodsOf(world, maker)
            .slice(0, 1)
            .map(good => good.code)
    for (const [round, daysAgo] of [134, 33].entries())
      planOrder(world, daysAgo - at, {
        buyer: maker,
        supplier: dealer,
        regime: 'purchased',
        store: storeOf(maker),
        demand: some(codes, 2, true),
        type: 'temporary',
        remark: '市场抽检留样',
        inspected: round === 0 ? 'plain' : 'abnormal',
      })
  }
}
