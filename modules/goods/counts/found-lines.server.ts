import type { TypedLine } from '#server/public/documents.ts'
import type { stockTake } from '#modules/goods/counts/stock-take.doc.ts'
import { canonicalCode } from '#kernel/codes/canonical-code.ts'
import { lotForm } from '#kernel/values/lot-no.ts'
import { parseCode } from '#kernel/codes/parse-code.ts'
import { today } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { falseFirst } from '#kernel/values/order.ts'
import { countedCodes, expectedCodes, figure } from '#modules/goods/counts/counted.server.ts'
import { balanceKey } from '#server/public/actions.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Line = TypedLine<typeof stockTake>

/** A line the ledger does not have: goods that were found. */
export const isFound = (line: Line): boolean =>
  figure(line, 'book_quantity') === '0.000' && expectedCodes(line).length === 0

/** True if the found goods are still described by hand: known pieces keep their own data. */
export const isSaidByHand = (line: Line): boolean =>
  isFound(line) && (countedCodes(line).length === 0 || line.lot_id === null)

type Lot = {
  line_no: number
  lot_required: boolean
  expiry_required: boolean
  lot_id: string | null
  production_date: string | null
  expiry_date: string | null
}

const problem = (line: Line, field: string, sentence: string): Problem => ({
  line: line.line_no,
  field,
  msg: `第${line.line_no}行：${sentence}`,
})

/** Missing data of a lot that never came in: the find created from it must describe it completely. */
const missing = (line: Line, lot: Lot | undefined): Problem[] =>
  !lot || lot.lot_id !== null
    ? []
    : lot.lot_required && !line.lot_no
      ? [problem(line, 'lot_no', '账外货物请填写批号')]
      : lot.expiry_required && !line.expiry_date
        ? [problem(line, 'expiry_date', `批号${line.lot_no ?? ''}无入库记录，请填写有效期至`)]
        : []

/**
 * Lines of goods the ledger does not have, as entered by users: a lot received here before brings its dates, a new
 * one is accepted as entered, and the find that follows asks for its origin. One statement for any number of lines.
 */
export async function foundLines(tx: Tx, org: string, lines: readonly Line[]): Promise<Map<number, Line>> {
  if (lines.length === 0) return new Map()
  const wanted = lines.map(line => ({ line_no: line.line_no, goods: line.specification_sn, lot: line.lot_no ?? '' }))
  const lots = await tx<Lot[]>`
    select w.line_no, s.lot_required, s.expiry_required, k.lot_id, k.production_date, k.expiry_date
      from jsonb_to_recordset(${tx.json(wanted)}) as w(line_no int, goods bigint, lot text)
      join specification s on s.id = w.goods
      left join lateral (
        select k.lot_id, k.production_date, k.expiry_date from known_lot(w.goods, w.lot) t
          join stock_lot k on k.org_id = ${org} and k.lot_id = t.id) k on true`
  const known = new Map(lots.map(lot => [lot.line_no, lot]))
  const wrong = lines.flatMap(line => missing(line, known.get(line.line_no)))
  if (wrong.length > 0) throw new BusinessError('rule', wrong[0]!.msg, wrong)
  return new Map(
    lines.map(line => {
      const lot = known.get(line.line_no)
      const dates = lot?.lot_id ? { production_date: lot.production_date, expiry_date: lot.expiry_date } : {}
      const whole = {
        ...line,
        lot_id: lot?.lot_id ?? null,
        ...dates,
        owner_org_sn: line.owner_org_sn ?? org,
        quality_state: line.quality_state ?? 'qualified',
        location: line.location ?? '',
        book_quantity: '0.000' as Decimal,
        quantity: '0.000' as Decimal,
        base_quantity: '0.000' as Decimal,
      }
      return [line.line_no, whole as Line]
    }),
  )
}

/** Goods already on a line of the count are counted on that line: two lines would book the same difference twice. */
export function refuseDuplicates(lines: readonly Line[]): void {
  const first = new Map<string, Line>()
  for (const line of lines) {
    const other = first.get(balanceKey(line))
    if (!other) first.set(balanceKey(line), line)
    else if (isFound(line) || isFound(other)) {
      const msg = `第${line.line_no}行与第${other.line_no}行是同一批次和货位，请在第${other.line_no}行录入实盘数量`
      throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'lot_no', msg }])
    }
  }
}

/** A piece unknown to every ledger in the network, as its code describes it: goods, lot and expiry date. */
export type Outsider = {
  readonly specification_id: string
  readonly lot_no: string
  readonly lot_id: string | null
  readonly owner_id: null
  readonly place: null
  readonly production_date: string | null
  readonly expiry_date: string | null
}

/** Unknown pieces by one code each, if the code names known goods. One statement for any number of codes. */
export async function outsidersOf(tx: Tx, session: Session, texts: readonly string[]): Promise<Map<string, Outsider>> {
  const org = session.org.id
  const read = texts.flatMap(text => {
    const code = parseCode(text, { today: today() })
    if (!code.ok || !code.di || !code.serial || code.candidates) return []
    const { di, lot, serial, productionDate, expiryDate } = code
    // As at the scan counter: if a label names no lot, the serial number is used instead.
    return [
      {
        bare: canonicalCode(text, today()).bare,
        di,
        lot: lotForm(lot ?? serial),
        made: productionDate,
        until: expiryDate,
      },
    ]
  })
  if (read.length === 0) return new Map()
  const rows = await tx<(Outsider & { bare: string })[]>`
    select w.bare, g.id as specification_id, coalesce(k.lot_no, w.lot) as lot_no, k.lot_id, null as owner_id,
           null as place,
           coalesce(k.production_date, w.made)::text as production_date,
             coalesce(k.expiry_date, w.until)::text as expiry_date
      from jsonb_to_recordset(${tx.json(read)}) as w(bare text, di text, lot text, made date, until date)
     cross join lateral (
       select x.id from (
         select 1 as rank, s.id from specification s where s.udi_di = w.di
         union all select 2, b.specification_id from product_barcode b where b.code = w.di and b.status = 'enabled'
           and b.org_id = ${org}
         union all select 3, b.specification_id from product_barcode b where b.code = w.di and b.status = 'enabled'
           and b.for_everybody) x
        order by x.rank limit 1) g
      left join lateral (
        select t.lot_no, k.lot_id, k.production_date, k.expiry_date from known_lot(g.id, w.lot) t
          left join stock_lot k on k.org_id = ${org} and k.lot_id = t.id) k on true`
  // If a piece has two labels, the one with an expiry date is preferred.
  const sorted = rows.toSorted((a, b) => falseFirst(a.expiry_date !== null, b.expiry_date !== null))
  return new Map(sorted.map(({ bare, ...outsider }) => [bare, outsider]))
}
