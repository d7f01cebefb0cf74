import { withoutEnd } from '#kernel/values/trimmed.ts'
import { chineseMoney } from '#kernel/values/chinese-money.ts'
import { add, compare, type Decimal, divide, isPositive, isZero, multiply, subtract } from '#kernel/values/decimal.ts'
import { compareOffers } from '#modules/trade/purchasing/rfq/received-quotations.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'
import { maySeePrices } from '#server/public/session.ts'

type Line = Readonly<Record<string, unknown>>
type Compared = {
  readonly suppliers: readonly { supplier_sn: string; name: string; taxed_amount: Decimal }[]
  readonly lines: readonly {
    line_no: number
    quantity: Decimal
    last_price: Decimal | null
    offers: readonly { supplier_sn: string; price: Decimal; awarded_quantity: Decimal | null; is_lowest: boolean }[]
  }[]
}
/** The number of suppliers shown side by side; the lowest total comes first. */
const LETTERS = ['a', 'b', 'c', 'd', 'e'] as const
const opened = new Set(['partial', 'completed'])

/**
 * The printout of an enquiry: until its answers are open only the question; then the offers side by side, the
 * lowest, the last price and the recommended supplier.
 */
export const enquirySheet: NonNullable<DocumentHooks['printFields']> = async (tx, session, info) => {
  if (info.org_sn !== session.org.id || !opened.has(String(info.state)) || !maySeePrices(session)) return {}
  const { suppliers: all, lines } = (await compareOffers(tx, session, { sn: info.sn })) as unknown as Compared
  const suppliers = all
    .map(one => ({ ...one, taxed_amount: offeredBy(one.supplier_sn, lines) }))
    .filter(one => isPositive(one.taxed_amount))
    .toSorted((a, b) => compare(a.taxed_amount, b.taxed_amount))
    .slice(0, LETTERS.length)
  if (suppliers.length === 0) return {}
  let whole: Decimal = '0.00'
  const compared = (info.lines as readonly Line[]).map(line => {
    const row = lines.find(each => each.line_no === line.line_no)
    if (!row) return line
    const best =
      row.offers.find(offer => isPositive(offer.awarded_quantity ?? '0')) ?? row.offers.find(offer => offer.is_lowest)
    if (best)
      whole = add(
        whole,
        multiply(
          best.price,
          isPositive(best.awarded_quantity ?? '0') ? best.awarded_quantity! : String(line.quantity),
          2,
        ),
        2,
      )
    return {
      ...line,
      ...Object.fromEntries(
        suppliers.map((one, at) => [
          `offer_${LETTERS[at]}`,
          shown(row.offers.find(offer => offer.supplier_sn === one.supplier_sn)?.price),
        ]),
      ),
      lowest_price: shown(row.offers.find(offer => offer.is_lowest)?.price),
      last_price: shown(row.last_price) ?? '—',
      change_percent: best ? changeOf(best.price, row.last_price) : null,
      recommended: best ? (all.find(one => one.supplier_sn === best.supplier_sn)?.name ?? null) : null,
    }
  })
  return {
    sheet_title: '比价表',
    lines: compared,
    recommended_total: `${whole}（${chineseMoney(whole)}）`,
    ...Object.fromEntries(
      suppliers.map((one, at) => [`supplier_${LETTERS[at]}`, `${one.name}（合计${one.taxed_amount}）`]),
    ),
  }
}

/** A supplier's total for everything it offers. */
const offeredBy = (supplier: string, lines: Compared['lines']): Decimal =>
  lines.reduce<Decimal>((sum, { quantity, offers }) => {
    const offer = offers.find(one => one.supplier_sn === supplier)
    return offer ? add(sum, multiply(offer.price, quantity, 2), 2) : sum
  }, '0.00')

const withTwoPlaces = (price: string): string => {
  const least = price.indexOf('.') + 3
  return price.slice(0, least) + withoutEnd(price.slice(least), digit => digit === '0')
}

/** The price as offered: two decimals, and the third and fourth if not zero. */
const shown = (price: Decimal | null | undefined): string | null =>
  price === null || price === undefined ? null : withTwoPlaces(price)

/** (推荐价 − 上次采购价) / 上次采购价, in percent; a dash if there is no earlier price. */
const changeOf = (price: Decimal, last: Decimal | null): string =>
  last === null || isZero(last) ? '—' : `${multiply(divide(subtract(price, last, 4), last, 6), '100', 2)}%`
