import type { CorrectedLine } from '#modules/goods/corrections/correction-posting.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { stockCorrection } from '#modules/goods/corrections/stock-correction.doc.ts'
import {
  loadDocuments,
  patchDocument,
  replaceLines,
  type StoredDocument,
  type StoredLine,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { lineAmounts, splitTax, type TaxRate, totalAmounts } from '#kernel/values/tax-amounts.ts'
import { compare, type Decimal, plain, share, subtract, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { withCorrections } from '#server/public/actions.ts'

/** A line of a correction, with what the room found out for its booking. */
export type Line = TypedLine<typeof stockCorrection> & Pick<CorrectedLine, 'new_lot_id' | 'stored'>
export type StockCorrection = Omit<TypedDocument<typeof stockCorrection>, 'lines'> & { readonly lines: readonly Line[] }
export type Context = ActionContext<StockCorrection>

/**
 * The part of the action's context that a correction needs, both in our own action and when the counterparty has
 * answered.
 */
export type Reading = Pick<Context, 'tx' | 'session' | 'definition' | 'doc'>

/** The documents a correction corrects, as earlier corrections left them. */
export async function sourcesOf({ tx, session, doc }: Reading): Promise<StoredDocument[]> {
  const ids = [...new Set(doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : [])))]
  return withCorrections(tx, session.org.id, await loadDocuments(tx, session.org.id, ids), doc.id)
}
export const sourceLineOf = (sources: readonly StoredDocument[], line: StoredLine): StoredLine | undefined =>
  sources
    .find(source => source.id === line.source_document_id)
    ?.lines.find(each => each.line_no === line.source_line_no)

export const refuseLine = (line: StoredLine, sentence: string): BusinessError => {
  const msg = `第${line.line_no}行：${sentence}`
  return new BusinessError('rule', msg, [{ line: line.line_no, msg }])
}

/** Refuses a production date after the receipt. */
export function refuseMadeLater(doc: StockCorrection, sources: readonly StoredDocument[]): void {
  for (const line of doc.lines) {
    const made = doc.change_type === 'lot' ? line.new_production_date : null
    const day = sources.find(source => source.id === line.source_document_id)?.business_date
    if (made && day && made > day) throw refuseLine(line, `更正后生产日期${made}晚于原单日期${day}，请核对标签后修改`)
  }
}

/** The line as it was written, cut to the part being corrected, with the amounts of that part. */
function valued(line: Line, source: StoredLine, reversed: Decimal, isPrice: boolean): Line {
  const whole = subtract(source.base_quantity, reversed, 3)
  if (compare(line.base_quantity, whole) > 0) throw refuseLine(line, `变更数量不能大于原单数量${plain(whole)}`)
  if (isPrice && compare(line.base_quantity, source.base_quantity) !== 0)
    throw refuseLine(line, `价格和税率须整行更正，数量应为${plain(source.base_quantity)}`)
  if (isPrice && (line.unit_inner_sn ?? null) !== (source.unit_inner_sn ?? null))
    throw refuseLine(line, '单位须与原单一致')
  const part = (value: Decimal) => share(value, line.base_quantity, source.base_quantity, 2)
  const rate = ((isPrice ? line.new_rate : null) ?? source.tax_rate) as TaxRate
  const before = { taxed: part(source.taxed_amount), untaxed: part(source.untaxed_amount) }
  const agreed = line.agreed_amount
  const after =
    isPrice && agreed
      ? splitTax(agreed, rate)
      : isPrice
        ? lineAmounts(line.new_price ?? source.price, line.quantity, rate)
        : { taxed_amount: before.taxed, untaxed_amount: before.untaxed }
  const taxed = subtract(after.taxed_amount, before.taxed, 2)
  const untaxed = subtract(after.untaxed_amount, before.untaxed, 2)
  return {
    ...line,
    price: '0.0000',
    tax_rate: rate,
    old_price: source.price,
    old_rate: source.tax_rate,
    old_amount: before.taxed,
    new_amount: after.taxed_amount,
    taxed_amount: taxed,
    untaxed_amount: untaxed,
    tax_amount: subtract(taxed, untaxed, 2),
  }
}

async function certificates({ tx, doc }: Reading): Promise<Map<string, string | null>> {
  const rows = await tx<{ id: string; certificate_no: string | null }[]>`
    select s.id, c.certificate_no from specification s left
      join registration_certificate c on c.id = s.registration_certificate_id
     where s.id = any(${doc.lines.flatMap(line => (line.specification_sn ? [line.specification_sn] : []))}::bigint[])`
  return new Map(rows.map(row => [row.id, row.certificate_no]))
}

/** Writes lines with their figures, and their totals on the header. */
export async function writeLines(ctx: Reading, lines: readonly Line[]): Promise<StockCorrection> {
  const { tx, session, definition, doc } = ctx
  const total = totalAmounts(lines)
  const of = (name: 'old_amount' | 'new_amount') =>
    sum(
      lines.map(line => line[name] ?? '0'),
      2,
    )
  const fields = { old_amount: of('old_amount'), new_amount: of('new_amount') }
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  const total_quantity = sum(
    lines.map(line => line.base_quantity),
    3,
  )
  await patchDocument(tx, session, doc, { ...total, total_quantity, ...fields }, 'withAction')
  return { ...doc, ...total, ...fields, lines }
}

/** Line fields of another correction type than the document's are ignored. */
function onlyOf(type: unknown, line: Line): Line {
  const meant = {
    lot: ['new_lot_no', 'new_production_date', 'new_expiry_date'],
    price: ['new_price', 'new_rate'],
    code: ['new_codes'],
    certificate: ['new_registration_no'],
  }
  const others = Object.entries(meant).flatMap(([sort, names]) => (sort === type ? [] : names))
  return { ...line, ...Object.fromEntries(others.map(name => [name, null])) }
}

/** The document with its figures before and after, based on the source's current state. */
export async function withValues(ctx: Reading): Promise<StockCorrection> {
  const { tx, session, doc } = ctx
  const sources = await sourcesOf(ctx)
  const reversed = await tx<{ document_id: string; line_no: number; taken: Decimal }[]>`
    select document_id, line_no, taken from line_progress
     where org_id = ${session.org.id} and document_id = any(${sources.map(source => source.id)}::bigint[])
       and line_no > 0 and purpose = 'reverse'`
  const registered = await certificates(ctx)
  const lines = doc.lines.map(line => {
    const source = sourceLineOf(sources, line)
    if (!source) return line
    const red = reversed.find(
      row => row.document_id === line.source_document_id && row.line_no === line.source_line_no,
    )?.taken
    return {
      ...valued(onlyOf(doc.change_type, line), source, red ?? '0', doc.change_type === 'price'),
      old_registration_no: registered.get(line.specification_sn ?? '') ?? null,
    }
  })
  return writeLines(ctx, lines)
}
