import { today } from '#kernel/values/date.ts'
import { type Decimal, multiply, round, sum } from '#kernel/values/decimal.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { maySeePrices, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Goods of a kit, in base units. */
type Held = { readonly specification_sn: string; readonly quantity: Decimal }
type For = { readonly customer: string | null; readonly day?: string }

/**
 * Goods of kits with price and amount, tax included, and the sum: at the price for a base unit that is agreed with the
 * customer on the day, default today; where nothing is agreed, or no customer has the kit, at the organisation's own.
 */
export async function pricedKits<Row extends Held>(
  tx: Tx,
  session: Session,
  goods: readonly Row[],
  { customer, day = today() }: For,
): Promise<{ readonly goods: readonly (Row & { price: Decimal; taxed_amount: Decimal })[]; readonly total: Decimal }> {
  const trade = { org: session.org.id, counterparty: customer, direction: 'sell', day } as const
  const facts = await specificationFacts(
    tx,
    goods.map(row => row.specification_sn),
    trade,
  )
  const priced = goods.map(row => {
    const price = (facts.get(row.specification_sn)?.price ?? '0.0000') as Decimal
    return { ...row, price, taxed_amount: round(multiply(price, row.quantity, 7), 2) }
  })
  return {
    goods: priced,
    total: sum(
      priced.map(row => row.taxed_amount),
      2,
    ),
  }
}

/** The same as a user may read it: nothing of prices for those who may not see them. */
export const kitsAsRead = async <Row extends Held>(
  tx: Tx,
  session: Session,
  goods: readonly Row[],
  of: For,
): Promise<{ readonly goods: readonly Row[]; readonly total?: Decimal }> =>
  maySeePrices(session) ? pricedKits(tx, session, goods, of) : { goods }
