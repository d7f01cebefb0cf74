import { quantityOfCodes } from '#kernel/codes/pack-code.ts'
import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { hasPrices } from '#kernel/definition/line-content.ts'
import { compare, type Decimal, divide, multiply, negate, round } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { lineNumbers } from '#server/documents/lines/line-numbers.ts'
import { heldBy, packContents, type PackContents } from '#server/documents/allocation/serial-codes.ts'
import { packUnits } from '#server/documents/lines/units-of-measure.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import { sourceFields, sourceLinks } from '#server/documents/progress/source-rules.ts'
import { definitionOf, hasRemainder, type OpenLine, type Source } from '#server/documents/sources/open-source.ts'
import { byName, customLineFields, type StoredLine } from '#server/documents/repository/document.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A base quantity in a unit of `measure` base units, and whether it is a quantity of three places in it. */
function inUnit(base: Decimal, measure: number): { quantity: Decimal; divides: boolean } {
  const quantity = divide(base, String(measure), 3)
  return { quantity, divides: round(multiply(quantity, String(measure), 3), 3) === round(base, 3) }
}

type Counted = {
  readonly unit: string | null
  readonly quantity: Decimal
  /** Per unit: the source's price, converted. */
  readonly price: Decimal
  /** The quantity that is open of the source, in the unit. */
  readonly whole: Decimal
  /** True if the line takes all that is open. */
  readonly takesRest: boolean
  /**
   * The amount of a part whose converted price is not exact: its share of the source's price; null where it is exact.
   */
  readonly amount: Decimal | null
}

/** The size of units in base units, and the contents of packs that lines name without a quantity. */
type Measured = { readonly measures: ReadonlyMap<string, number>; readonly packs: PackContents }

/** The quantity of codes: as the source's line counts those that it names; for others, the contents of their packs. */
const standFor = (line: StoredLine, codes: readonly string[], packs: PackContents): Decimal =>
  codes.every(code => line.unit_codes.includes(code)) ? quantityOfCodes(line, codes) : heldBy(codes, packs)

/**
 * How much of its source a follow-up takes, and in which unit: as written, else in the source's unit unless the
 * quantity is no number of it. The price goes with the unit: 100 a box of 20 are 5 a piece.
 */
function countedIn(
  { line, left }: OpenLine,
  { negates = false }: SourceRule,
  written: LineInput,
  { measures, packs }: Measured,
): Counted {
  const measureOf = (unit: string | null) => (unit === null ? 1 : (measures.get(unit) ?? 1))
  const codes = written.unit_codes as readonly string[] | null | undefined
  const typed = written.quantity as Decimal | null | undefined
  const base = codes && codes.length > 0 ? standFor(line, codes, packs) : negates ? negate(left) : left
  const from = measureOf(line.unit_inner_sn)
  const unit =
    (written.unit_inner_sn as string | null | undefined) ?? (inUnit(base, from).divides ? line.unit_inner_sn : null)
  const measure = measureOf(unit)
  const quantity = typed ?? inUnit(base, measure).quantity
  const price = divide(multiply(line.price, String(measure), 4), String(from), 4)
  const isExact = compare(multiply(price, String(from), 4), multiply(line.price, String(measure), 4)) === 0
  const taken = multiply(quantity, String(measure), 3)
  return {
    unit,
    quantity,
    price,
    whole: inUnit(left, measure).quantity,
    takesRest: compare(taken, negates ? negate(left) : left) === 0,
    amount: isExact ? null : divide(multiply(line.price, taken, 7), String(from), 2),
  }
}

/** The values that a follow-up line inherits; the user's input takes priority, as far as the document permits. */
function inherit(
  definition: AnyDocument,
  source: Source,
  open: OpenLine,
  written: LineInput,
  measured: Measured,
): LineInput {
  const { doc, take } = source
  const { line } = open
  const carried: Record<string, unknown> = {}
  // A source without prices leaves its follow-ups to be priced like lines entered by hand. A document that another
  // organisation sent without prices gets none here.
  const priced = doc.role === 'counterparty' || hasPrices(definitionOf(doc.kind))
  // Header values of the source that apply to all its lines (an invoice's number) are written on each line made from
  // it.
  for (const name of carriedFields(definition, take)) carried[name] = byName(line)[name] ?? byName(doc)[name] ?? null
  const base = {
    ...carried,
    ...sourceLinks(doc, line, take),
    source_document_id: doc.id,
    source_sn: doc.sn,
    source_org_sn: doc.from_org_id,
    source_line_no: line.line_no,
    tax_rate: !priced || take.dropsFields?.includes('tax_rate') ? null : line.tax_rate,
  }
  if (definition.lineRules.basis === 'amount') return { ...base, ...money(open, take, written) }
  const { unit, quantity, price, whole, takesRest, amount } = countedIn(open, take, written, measured)
  const anew = !priced || take.dropsFields?.includes('price') === true
  const named =
    take.sameUnits ||
    definition.posting.stockDirection !== 'out' ||
    Boolean(line.lot_no && line.owner_org_sn && !definitionOf(doc.kind).sourcing.isOrder)
  return {
    ...base,
    specification_sn: line.specification_sn,
    unit_inner_sn: unit,
    quantity,
    ...(anew ? {} : { price }),
    ...lotFrom(definition, line, written),
    ...(named && line.unit_codes.length > 0 ? { unit_codes: takesRest ? remaining(line, open) : [] } : {}),
    ...(named &&
    (definition.posting.stockDirection === 'named' || (take.sameUnits && definition.posting.stockDirection === 'in'))
      ? { owner_org_sn: line.owner_org_sn, quality_state: line.quality_state }
      : {}),
    ...sourceFields(doc, take, line, whole),
    ...(anew || !isSamePrice(written, price) ? {} : takesRest ? restOf(open, take, written) : { rest_amount: amount }),
    ...defined(written),
  }
}

/** True if the call leaves the source's price as it is. */
const isSamePrice = ({ price: typed }: LineInput, price: Decimal): boolean =>
  typed === undefined || typed === null || compare(typed as Decimal, price) === 0

/** The last part takes what is left of all amounts; at another rate, only what is left with tax. */
function restOf({ line, restAmount, restUntaxed }: OpenLine, take: SourceRule, { tax_rate: typed }: LineInput) {
  const signed = (amount: Decimal) => (take.negates ? negate(amount) : amount)
  const sameRate = typed === undefined || typed === null || String(typed) === String(line.tax_rate)
  const dropsRate = take.dropsFields?.includes('tax_rate') === true
  return {
    rest_amount: signed(restAmount),
    rest_untaxed: sameRate && !dropsRate ? signed(restUntaxed) : null,
  }
}

/** The source's lot; where the user entered another, the source's lot must not be booked. */
function lotFrom(definition: AnyDocument, line: StoredLine, written: LineInput): LineInput {
  if (!line.lot_no) return {}
  const { lot_no, lot_id, production_date, expiry_date } = line
  const isOther = written.lot_no !== undefined && written.lot_no !== null && written.lot_no !== lot_no
  if (!isOther) return { lot_no, lot_id, production_date, expiry_date }
  return definition.posting.stockDirection === 'out' ? {} : { production_date, expiry_date }
}

/** Own line fields that a follow-up copies from its source. */
const carriedFields = (definition: AnyDocument, { dropsFields: forgets }: SourceRule): string[] =>
  Object.entries(customLineFields(definition)).flatMap(([name, field]) =>
    field.readOnly || forgets?.includes(name) ? [] : [name],
  )

/** For lines that count money: what is left of it. */
const money = (open: OpenLine, take: SourceRule, written: LineInput): LineInput => ({
  rest_amount: take.basis === 'amount' ? open.left : open.restAmount,
  ...defined(written),
  ...(written.taxed_amount ? { rest_amount: null } : {}),
})

/** Codes are passed on complete; when a part was taken before, the user enters which are left. */
const remaining = (line: StoredLine, open: OpenLine): readonly string[] =>
  round(open.left, 3) === round(line.base_quantity, 3) ? line.unit_codes : []
const defined = (row: LineInput): LineInput =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )

/**
 * Lines made from sources. Entered lines name their source (`source_line_no`, their own or the header's
 * `source_sn`); without lines, all that is open is taken. Lines without a source pass through.
 */
export async function inheritLines(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  sources: readonly Source[],
  headerSn: string | null,
  written: readonly LineInput[] | null,
  last = 0,
): Promise<LineInput[]> {
  const lines = [...sources.flatMap(source => source.lines.map(open => open.line)), ...(written ?? [])]
  const units = await packUnits(
    tx,
    lines.flatMap(line => (line.unit_inner_sn ? [String(line.unit_inner_sn)] : [])),
  )
  const measured: Measured = {
    measures: new Map([...units].map(([id, unit]) => [id, unit.base_measure])),
    packs: await packContents(tx, org, written ?? []),
  }
  if (written === null) {
    const all = sources.flatMap(source =>
      source.lines.filter(hasRemainder).map(open => inherit(definition, source, open, {}, measured)),
    )
    if (all.length === 0 && sources.length > 0)
      throw new BusinessError('sourceExceeded', `来源单${sources[0]!.doc.sn}已全部执行，没有剩余可引用`)
    return all
  }
  const numbers = lineNumbers(written, last)
  return written.map((line, at) => {
    const sn = (line.source_sn as string | null | undefined) ?? headerSn
    if (!sn || line.source_line_no === null || line.source_line_no === undefined) return line
    const org = (line.source_org_sn as string | null | undefined) ?? null
    const source = sources.find(
      candidate => candidate.doc.sn === sn && (org === null || candidate.doc.from_org_id === org),
    )
    const open = source?.lines.find(candidate => candidate.line.line_no === line.source_line_no)
    if (!source || !open)
      throw new BusinessError('invalid', undefined, [
        {
          field: 'source_line_no',
          line: numbers[at]!,
          msg: `第${numbers[at]}行：来源单${sn}没有第${line.source_line_no}行`,
        },
      ])
    if (!open.fits) throw new BusinessError('rule', `第${numbers[at]}行：${source.take.eligible!.message}`)
    return inherit(definition, source, open, line, measured)
  })
}
