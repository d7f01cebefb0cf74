import type { advanceSale } from '#modules/trade/sales/advance-sale.doc.ts'
import type { StoredDocument, StoredLine, TypedDocument } from '#server/public/documents.ts'
import { compare, type Decimal, isPositive, multiply, plain, subtract } from '#kernel/values/decimal.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import type { LineInput } from '#server/public/drafts.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type AdvanceSale = TypedDocument<typeof advanceSale>

/** The lines of a reviewed advance sale, as pages show and change them one by one. */
export const createLines = ({ tx, session, doc }: ActionContext) => tx`
  insert into advance_line (org_id, document_id, line_no)
  select l.org_id, l.document_id, l.line_no from document_line l
    where l.org_id = ${session.org.id} and l.document_id = ${doc.id} on conflict do nothing`

export const dropLines = ({ tx, session, doc }: ActionContext) => tx`
  delete from advance_line where org_id = ${session.org.id} and document_id = ${doc.id}`

/**
 * The lines that may be sold: those whose price finance confirmed where this is required, otherwise null: all open
 * ones.
 */
export function confirmedLines(doc: AdvanceSale, mustBe: boolean): LineInput[] | null {
  if (!mustBe) return null
  const confirmed = doc.lines.filter(line => line.line_price_state === '2')
  if (confirmed.length === 0) throw new BusinessError('rule', '预销售价格未经财务确认')
  return confirmed.length === doc.lines.length
    ? null
    : confirmed.map(line => ({ source_sn: doc.sn, source_line_no: line.line_no }))
}

type Rest = {
  readonly document_id: string
  readonly line_no: number
  readonly price: Decimal
  readonly confirmed: boolean
  /** In the unit of the line. */
  readonly open: Decimal
  /** Recorded as used and not sold yet: it can only be sold. */
  readonly to_sell: Decimal
  readonly used_codes: readonly string[]
  readonly unit_codes: readonly string[]
  readonly unit_id: string | null
  /** Base units per unit of the line. */
  readonly measure: Decimal
}

/** The open quantities of advance sale lines. */
const restsOf = (tx: Tx, org: string, documents: readonly string[]) => tx<Rest[]>`
  select s.document_id::text, s.line_no, s.price, s.line_price_state = '2' as confirmed, s.open_quantity as open,
    greatest(s.used_quantity - s.turned_quantity, 0) as to_sell, s.used_codes, s.unit_codes, s.unit_id::text,
    round(l.base_quantity / l.quantity, 3)::text as measure
    from advance_line_shown s join document_line l on l.org_id = s.org_id and l.document_id = s.document_id
      and l.line_no = s.line_no where s.org_id = ${org} and s.document_id = any(${[...documents]}::bigint[])
      order by s.document_id, s.line_no`

/** The lines that may be returned: open quantities that were not used. */
export async function unusedLines(tx: Tx, session: Session, doc: StoredDocument): Promise<LineInput[] | null> {
  const rests = await restsOf(tx, session.org.id, [doc.id])
  if (rests.every(rest => !isPositive(rest.to_sell))) return null
  const lines = rests.flatMap((rest): LineInput[] => {
    const from = { source_sn: doc.sn, source_line_no: rest.line_no }
    const left = subtract(rest.open, rest.to_sell, 3)
    if (!isPositive(left)) return []
    const codes = rest.unit_codes.filter(code => !rest.used_codes.includes(code))
    const whole = compare(String(codes.length), left) === 0
    return [{ ...from, quantity: left, ...(whole ? { unit_codes: codes } : {}) }]
  })
  if (lines.length === 0) throw new BusinessError('rule', '未结清的货物都已使用，只能转销售')
  return lines
}

/** An advance sale whose goods a customer used cannot be undone. */
export async function refuseWhereUsed({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const rests = await restsOf(tx, session.org.id, [doc.id])
  if (rests.some(rest => isPositive(rest.to_sell)))
    throw new BusinessError('blocked', `预销售单已登记使用，不能${spec.label}，请先撤销使用登记`)
}

/** Checks each line made from an advance sale against the state of its source line. */
async function checkRests(
  { tx, session, doc }: ActionContext,
  decide: (line: StoredLine, rest: Rest) => Problem[],
): Promise<void> {
  const rests = await restsOf(
    tx,
    session.org.id,
    doc.lines.flatMap(line => line.source_document_id ?? []),
  )
  const problems = doc.lines.flatMap(line => {
    const rest = rests.find(one => one.document_id === line.source_document_id && one.line_no === line.source_line_no)
    return rest ? decide(line, rest) : []
  })
  if (problems[0]) throw new BusinessError('rule', problems[0].msg, problems)
}

/** Refuses to return goods that were used: they can only be sold. */
export const refuseUsed = (ctx: ActionContext): Promise<void> =>
  checkRests(ctx, (line, rest) => {
    const code = line.unit_codes.find(each => rest.used_codes.includes(each))
    const most = subtract(rest.open, rest.to_sell, 3)
    if (code === undefined && compare(line.base_quantity, multiply(most, rest.measure, 3)) <= 0) return []
    const what = code === undefined ? `其中${plain(rest.to_sell)}` : `院内码${code}`
    return [{ line: line.line_no, field: 'quantity', msg: `第${line.line_no}行：${what}已使用，只能转销售` }]
  })

/** If finance confirms prices, an advance sale line is sold at the confirmed price. */
export async function mustBeConfirmed(ctx: ActionContext): Promise<void> {
  const { doc, settings } = ctx
  if (!settings.advance_price_confirmed || doc.source_type !== sourceTypes.ADVANCE_SALE) return
  await checkRests(ctx, (line, rest) => {
    const at = { line: line.line_no, field: 'price' }
    if (!rest.confirmed) return [{ ...at, msg: `第${line.line_no}行：预销售价格未经财务确认` }]
    return (line.unit_inner_sn ?? null) !== rest.unit_id || compare(line.price, rest.price) === 0
      ? []
      : [{ ...at, msg: `第${line.line_no}行：单价须为财务确认的${plain(rest.price)}元` }]
  })
}
