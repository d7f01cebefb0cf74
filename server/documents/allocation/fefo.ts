import { type Decimal, compare, isPositive, subtract } from '#kernel/values/decimal.ts'
import { isExpired } from '#kernel/values/date.ts'
import { falseFirst } from '#kernel/values/order.ts'

/** Available stock: on hand less what others reserved. Quantities in base units. */
export type AvailableBalance = {
  readonly warehouse_id: string
  readonly location: string
  readonly specification_id: string
  /** The specification that this one was mapped to: requests for that one may be served from this. */
  readonly stands_for?: string
  readonly lot_id: string
  readonly lot_no: string
  readonly owner_id: string
  readonly quality_state: string
  readonly production_date: string | null
  readonly expiry_date: string | null
  /** Recalled or frozen: nothing is proposed of it, and only what goes back or is destroyed may name it. */
  readonly is_held?: boolean
  /** In a container: nothing is proposed of it, and it is taken only where its place is named. */
  readonly is_contained?: boolean
  readonly available: Decimal
}

export type Demand = {
  readonly specification_id: string
  readonly quantity: Decimal
  readonly lot_no?: string | null
  readonly owner_id?: string | null
  readonly location?: string | null
  readonly quality_state?: string | null
}

/** Part of a demand met from one balance; `null` stock is the part that nothing covers. */
export type Allocation = { readonly demand: number; readonly from: AvailableBalance | null; readonly quantity: Decimal }

/** First expiry first; no expiry last; own goods before consigned ones. */
const order =
  (own: string) =>
  (a: AvailableBalance, b: AvailableBalance): number =>
    (a.expiry_date ?? '9999').localeCompare(b.expiry_date ?? '9999') ||
    falseFirst(b.owner_id === own, a.owner_id === own) ||
    a.lot_no.localeCompare(b.lot_no) ||
    a.location.localeCompare(b.location)

/** True if a balance is of this specification, or of one mapped to it. */
export const matchesItem = (
  balance: Pick<AvailableBalance, 'specification_id' | 'stands_for'>,
  size: string | null,
): boolean => balance.specification_id === size || balance.stands_for === size

/**
 * Meets demands from balances, first expiry first, each balance once. Pure: the same demands and stock give the same
 * answer. A demand that names lot, owner or location takes only that. Expired, recalled and frozen lots are skipped
 * unless named.
 */
export function allocate(
  demands: readonly Demand[],
  stock: readonly AvailableBalance[],
  own: string,
  day: string,
): Allocation[] {
  const left = new Map(stock.map(balance => [balance, balance.available]))
  const bySpecification = new Map<string, AvailableBalance[]>()
  for (const balance of [...stock].sort(order(own)))
    for (const size of new Set([balance.specification_id, balance.stands_for ?? balance.specification_id])) {
      const known = bySpecification.get(size)
      if (known) known.push(balance)
      else bySpecification.set(size, [balance])
    }
  const portions: Allocation[] = []
  demands.forEach((demand, index) => {
    let missing = demand.quantity
    for (const balance of bySpecification.get(demand.specification_id) ?? []) {
      if (!isPositive(missing)) break
      if (
        demand.lot_no !== null && demand.lot_no !== undefined
          ? balance.lot_no !== demand.lot_no
          : balance.is_held === true || isExpired(balance.expiry_date, day)
      )
        continue
      if (demand.owner_id && balance.owner_id !== demand.owner_id) continue
      if (balance.is_contained === true && balance.location !== demand.location) continue
      if (demand.location && balance.location !== demand.location) continue
      if (balance.quality_state !== (demand.quality_state ?? 'qualified')) continue
      const rest = left.get(balance)!
      if (!isPositive(rest)) continue
      const quantity = compare(rest, missing) < 0 ? rest : missing
      portions.push({ demand: index, from: balance, quantity })
      left.set(balance, subtract(rest, quantity, 3))
      missing = subtract(missing, quantity, 3)
    }
    if (isPositive(missing)) portions.push({ demand: index, from: null, quantity: missing })
  })
  return portions
}
