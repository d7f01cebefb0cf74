import { addDays, type Day } from '#kernel/values/date.ts'
import { demoTable } from '#demo/tables.ts'
import { OPENING } from '#demo/simulation/calendar.ts'
import { codesOf, expiryOf, type Good, inPacks, lotNo } from '#demo/simulation/goods.ts'
import { dealerLevel, goodsOf, makerLevel, storeOf, upstreamOf } from '#demo/simulation/levels.ts'
import { someone, storeId, type World } from '#demo/simulation/world.ts'

type Lot = { readonly good: Good; readonly made: Day; readonly quantity: number; readonly price: string }

/** Days from the load day to the expiry of slow-moving goods: one lot has expired on its shelf. */
const SLOW = [-12, 9, 24, 55, 83, 140, 172]
/** Days before the opening on which the lots in stock were made. */
const MADE = [38, 96]
/** Pieces in an organisation's opening stock have their own number range. */
const FIRST_PIECE: Readonly<Record<string, number>> = { V: 1, D: 5001, H: 7001 }

/**
 * 期初: the stock when the stores go live. Consigned goods come by delivery, so that both sides have them in their
 * books.
 */
export function planOpening(world: World, slow: ReadonlyMap<string, readonly Good[]>): void {
  const day = world.calendar.ago(OPENING)
  const open = (store: string, lots: Lot[]) =>
    lots.length > 0 && world.plan(day, 8, store.slice(0, 3), () => openStore(world, store, lots))
  for (const org of ['V01', 'V02', 'V03', 'V04', 'D01', 'D02', 'D03']) {
    const level = org.startsWith('V') ? makerLevel : dealerLevel
    const lots = goodsOf(world, org).flatMap(good =>
      twoLots(good, day, inPacks(good, level(world, org, good, day)), good.makerPrice),
    )
    open(storeOf(org), [...lots, ...slowLots(world, slow.get(storeOf(org)) ?? [], day)])
  }
  for (const store of new Set(
    world.catalogue.stocked.filter(item => item.regime === 'purchased').map(item => item.store),
  )) {
    const items = world.catalogue.stocked.filter(item => item.store === store && item.regime === 'purchased')
    const lots = items.flatMap(item => {
      const level =
        (item.weekly / 7) * 30 +
        world.catalogue.surgeryNeed(item.hospital, item.good.code, day, addDays(day, 30)) +
        item.minimum +
        1
      return twoLots(item.good, day, inPacks(item.good, level), item.price)
    })
    open(store, [...lots, ...slowLots(world, slow.get(store) ?? [], day)])
  }
  for (const [ward, uses] of Map.groupBy(world.catalogue.wards, use => use.ward)) {
    const owned = uses.filter(use =>
      world.catalogue.stocked.some(
        item =>
          item.hospital === ward.slice(0, 3) &&
          item.good === use.good &&
          item.regime === 'purchased' &&
          !item.isUnitCoded,
      ),
    )
    open(
      ward,
      owned.map(use => ({
        good: use.good,
        made: addDays(day, -MADE[1]!),
        quantity: Math.ceil(use.maximum),
        price: priceAt(world, ward.slice(0, 3), use.good),
      })),
    )
  }
}

const priceAt = (world: World, hospital: string, good: Good): string =>
  world.catalogue.stocked.find(item => item.hospital === hospital && item.good === good)?.price ?? good.makerPrice

/** The older lot is the smaller one. */
function twoLots(good: Good, day: Day, quantity: number, price: string): Lot[] {
  const older = quantity > 3 ? Math.floor(quantity / 3) : 0
  return [
    { good, made: addDays(day, -MADE[0]!), quantity: quantity - older, price },
    { good, made: addDays(day, -MADE[1]!), quantity: older, price },
  ].filter(lot => lot.quantity > 0)
}

function slowLots(world: World, goods: readonly Good[], day: Day): Lot[] {
  return goods.flatMap((good, at): Lot[] => {
    const expiry = world.calendar.ago(-SLOW[at % SLOW.length]!)
    const date = new Date(`${addDays(expiry, 1)}T00:00:00Z`)
    date.setUTCMonth(date.getUTCMonth() - good.shelfMonths)
    const made = date.toISOString().slice(0, 10) as Day
    return made < day && expiryOf(good, made) > day
      ? [{ good, made, quantity: good.isUnitCoded ? 2 : Math.max(4, good.pack), price: good.makerPrice }]
      : []
  })
}

async function openStore(world: World, store: string, lots: readonly Lot[]): Promise<void> {
  const org = store.slice(0, 3)
  const [writer, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  const isTrader = !org.startsWith('H')
  const sn = await world.hands.add(writer, 'openingStock', {
    warehouse_model_inner_sn: storeId(world, store),
    regime: 'purchased',
    remark: '系统启用期初',
    lines: lots.map(({ good, made, quantity, price }) => ({
      specification_sn: good.id,
      lot_no: lotNo(good, made),
      production_date: made,
      expiry_date: expiryOf(good, made),
      quantity: String(quantity),
      price,
      ...(isTrader && good.isUnitCoded
        ? { unit_codes: codesOf(good, lotNo(good, made), quantity, FIRST_PIECE[org.charAt(0)]) }
        : {}),
    })),
  })
  await world.hands.pass(writer, head, 'openingStock', sn)
}

/** Slow-moving goods of a catalogue, not requested by anyone: they age in stock. */
export function slowGoods(world: World): Map<string, Good[]> {
  const { goods, stocked } = world.catalogue
  const wanted = new Set(stocked.map(item => item.good.code))
  const slow = new Map<string, Good[]>()
  const put = (store: string, good: Good) => {
    const shelf = slow.get(store) ?? []
    if (shelf.length < SLOW.length) slow.set(store, [...shelf, good])
  }
  for (const row of demoTable('hospital_products')) {
    const good = goods.get(row.specification_code ?? '')
    if (
      good &&
      row.ownership === '买断' &&
      row.admission_state === '已准入' &&
      !stocked.some(item => item.hospital === row.hospital_code && item.good === good)
    )
      put(row.default_warehouse ?? '', good)
  }
  for (const good of goods.values())
    if (!wanted.has(good.code) && !good.isFirst) {
      put(storeOf(good.maker), good)
      put(storeOf(upstreamOf(good.maker)), good)
    }
  return slow
}
