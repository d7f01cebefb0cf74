import { byName, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import {
  absolute,
  compare,
  type Decimal,
  isZero,
  multiply,
  negate,
  plain,
  share,
  subtract,
  sum,
} from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { invoiceDifference } from '#modules/base/vocabulary/validators.ts'
import { definitionOf, openSources } from '#server/public/drafts.ts'

type Invoice = Pick<ActionContext, 'tx' | 'session' | 'definition' | 'doc'>

/** A line of an invoice beside the line that it invoices, and the amount of this part by the source. */
type Match = { readonly line: StoredLine; readonly source: StoredLine; readonly of: string; readonly amount: Decimal }
type Source = Awaited<ReturnType<typeof openSources>>[number]
type Rest = { left: Decimal; amount: Decimal }

export const isOfSettlement = ({ source_type: type }: Pick<StoredDocument, 'source_type'>): boolean =>
  type === sourceTypes.SETTLEMENT_GRN

/** The amount of this part of a source's line: all that is left of it, or its quantity at the source's price. */
function worthOf(quantity: Decimal, source: StoredLine, rest: Rest): Decimal {
  const whole = multiply(source.price, source.quantity, 6)
  const amount = compare(quantity, rest.left) === 0 ? rest.amount : share(whole, quantity, source.base_quantity, 2)
  rest.left = subtract(rest.left, quantity, 3)
  rest.amount = subtract(rest.amount, amount, 2)
  return amount
}

/** The lines of an invoice with their source lines; lines without a source of ours are left out. */
async function matchesOf({ tx, session, definition, doc }: Invoice): Promise<Match[]> {
  const named = doc.lines.filter(line => line.source_sn && line.source_document_id)
  const names = named.map(line => ({ sn: line.source_sn!, org: line.source_org_sn }))
  if (names.length === 0) return []
  const hint = { type: doc.source_type, counterparty: doc.counterparty_sn }
  const sources = await openSources(tx, session, definition, names, hint)
  const rests = new Map<object, Rest>()
  const restOf = ({ take }: Source, open: Source['lines'][number]): Rest => {
    const signed = (value: Decimal) => (take.negates ? negate(value) : value)
    const rest = rests.get(open) ?? { left: signed(open.left), amount: signed(open.restAmount) }
    rests.set(open, rest)
    return rest
  }
  return named.flatMap(line => {
    const source = sources.find(({ doc: { id } }) => id === line.source_document_id)
    const open = source?.lines.find(each => each.line.line_no === line.source_line_no)
    if (!source || !open || isZero(open.line.base_quantity)) return []
    const amount = worthOf(line.base_quantity, open.line, restOf(source, open))
    return [{ line, source: open.line, of: `${definitionOf(source.doc.kind).title}${source.doc.sn}`, amount }]
  })
}

/** The amounts by the sources of an invoice's lines, by line number. */
export async function worthOfLines(invoice: Invoice): Promise<ReadonlyMap<number, Decimal>> {
  return new Map((await matchesOf(invoice)).map(({ line, amount }) => [line.line_no, amount]))
}

const nameOf = ({ line }: Match): string => `第${line.line_no}行【${line.product_name ?? ''}】`

/** The price of a line in the unit of the line. */
function priceOf({ line, source }: Match): Decimal {
  const whole = multiply(source.price, source.quantity, 6)
  return share(share(whole, line.base_quantity, source.base_quantity, 6), '1', line.quantity, 4)
}

/**
 * The difference between a line and its source, beyond the cents of the organisation's tolerance; null if there is
 * none.
 */
function differenceOf(match: Match, tolerance: Decimal): string | null {
  const { line, of, amount } = match
  const more = subtract(line.taxed_amount, amount, 2)
  if (compare(absolute(more), tolerance) <= 0) return null
  const price = priceOf(match)
  return compare(price, line.price) === 0
    ? `${nameOf(match)}开票金额${plain(line.taxed_amount)}元，${of}为${plain(amount)}元`
    : `${nameOf(match)}开票单价${plain(line.price)}元，${of}为${plain(price)}元，金额相差${plain(absolute(more))}元`
}

const otherRate = (match: Match): string | null =>
  match.line.tax_rate === match.source.tax_rate
    ? null
    : `${nameOf(match)}发票税率${match.line.tax_rate}%，${match.of}为${match.source.tax_rate}%`

/** The difference between the invoice's total and the total of everything that it invoices. */
function totalDifference(doc: StoredDocument, matches: readonly Match[]): Decimal {
  if (matches.length < doc.lines.length) return '0.00'
  const worth = matches.map(({ amount }) => negate(amount))
  const { taxed_amount } = doc
  const difference = invoiceDifference({ taxed_amount, invoice_amount: byName(doc).invoice_amount as Decimal | null })
  return sum([taxed_amount, difference, ...worth], 2)
}

/**
 * The invoice with the source amount of each line: this amount of the estimated debt is removed, whatever the invoiced
 * amount is. 核对结果 is computed here, while the sources do not yet count this invoice.
 */
export async function withSourceAmounts(ctx: ActionContext): Promise<StoredDocument> {
  const matches = await matchesOf(ctx)
  const worth = new Map(matches.map(({ line, amount }) => [line.line_no, amount]))
  const lines = ctx.doc.lines.map(line => ({ ...line, source_amount: worth.get(line.line_no) ?? null }))
  const same = matches.every(match => compare(match.line.taxed_amount, match.amount) === 0 && otherRate(match) === null)
  const agrees = same && isZero(totalDifference(ctx.doc, matches))
  const checked = { lines, check_result: agrees ? 'agrees' : 'confirmed' }
  return { ...ctx.doc, ...checked }
}

/**
 * Prices, amounts and rates of an invoice must equal those of its sources. Beyond the tolerance somebody must give the
 * reason why it is right nevertheless; a settlement's price was confirmed by both sides, and may not be invoiced
 * otherwise.
 */
export async function compareWithSources(ctx: ActionContext): Promise<void> {
  const { doc, settings, warnings, action } = ctx
  const tolerance = settings.invoice_tolerance as Decimal
  const matches = await matchesOf(ctx)
  const differences = matches.flatMap(match => differenceOf(match, tolerance) ?? [])
  const total = totalDifference(doc, matches)
  if (differences.length === 0 && compare(absolute(total), tolerance) > 0)
    differences.push(`发票价税合计与来源单相差${plain(absolute(total))}元`)
  if (isOfSettlement(doc) && differences[0] !== undefined)
    throw new BusinessError(
      'rule',
      `发票金额与结算金额差额${absolute(total)}超出容差。${differences[0]}，请按结算价重新开票`,
    )
  const found = [...differences, ...matches.flatMap(match => otherRate(match) ?? [])]
  for (const msg of found) warnings.push({ rule: 'invoiceMatch', msg: `${msg}，是否确认差异并按发票入账？` })
  const explained = ctx.reason ?? byName(doc).difference_reason
  if (action === 'review' && found.length > 0 && ctx.body.confirm && !explained)
    throw new BusinessError('invalid', '请填写差异原因', [{ field: 'reason', msg: '请填写差异原因' }])
}
