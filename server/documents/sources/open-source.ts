import { quantityOfCodes } from '#kernel/codes/pack-code.ts'
import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { hasPrices } from '#kernel/definition/line-content.ts'
import {
  compare,
  type Decimal,
  divide,
  isNegative,
  isPositive,
  multiply,
  negate,
  round,
  subtract,
  sum,
} from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { documentOf } from '#kernel/registry.ts'
import { withCorrections } from '#server/documents/progress/corrections.ts'
import { lineNumbers } from '#server/documents/lines/line-numbers.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import { sourceStates } from '#server/documents/progress/lock-sources.ts'
import { netOfReversals } from '#server/documents/progress/limits.ts'
import { takenOf, type TakenOfLine } from '#server/documents/progress/taken.ts'
import { closedAmount, sourceLinks, sourceFields } from '#server/documents/progress/source-rules.ts'
import { customLineFields, type StoredDocument, type StoredLine } from '#server/documents/repository/document.ts'
import { sourceScopeSql } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A source line with what is left of it for a purpose. */
export type OpenLine = {
  readonly line: StoredLine
  readonly left: Decimal
  readonly restAmount: Decimal
  readonly restUntaxed: Decimal
  /** Whether the take applies to lines like this one. */
  readonly fits: boolean
}
export type Source = { readonly doc: StoredDocument; readonly take: SourceRule; readonly lines: readonly OpenLine[] }

/** A source named by a call: its number, and the number's organisation if given. */
export type SourceName = { readonly sn: string; readonly org: string | null }
/** Hints to distinguish documents with the same number: numbers are only unique within an organisation. */
export type SourceHint = { readonly type?: number | null; readonly counterparty?: string | null }

type Found = {
  id: string
  kind: string
  sn: string
  source_sn: string | null
  role: string
  state: string
  from_org_id: string
  take: SourceRule
}

async function findSources(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  names: readonly SourceName[],
  hint: SourceHint,
): Promise<Found[]> {
  const takes = definition.sourcing.sources ?? []
  const rows = await tx<Omit<Found, 'take'>[]>`
    select d.id, d.kind, d.sn, d.source_sn, d.role, d.state, d.from_org_id from document d
     where d.org_id = ${session.org.id} and d.sn = any(${[...new Set(names.map(name => name.sn))]})
       and d.kind = any(${takes.map(take => take.from)}) and d.state <> 'deleted'
       and ${sourceScopeSql(tx, session)}`
  return rows.flatMap(row => {
    const fits = takes.filter(
      take => take.from === row.kind && (row.role === 'counterparty') === (take.fromCounterparty ?? false),
    )
    const take = fits.find(candidate => !hint.type || candidate.sourceType === hint.type) ?? fits[0]
    return take ? [{ ...row, take }] : []
  })
}

/** Why a document cannot be used as a source: the kind's own message while it is not ready yet. */
function unusable({ sn, source_sn, state, take }: Found): string {
  const early = ['draft', 'submitted', 'rejected'].includes(state)
  if (!take.notReadyMessage || !early) return `来源单${sn}当前状态不能引用，请确认已审核且未终止`
  return take.notReadyMessage.replace('{sn}', sn).replace('{from}', source_sn ?? sn)
}

/**
 * The one document that a name means: decided by the number's organisation, then by the partner of the document
 * being made.
 */
function chooseSource(found: readonly Found[], name: SourceName, hint: SourceHint): Found {
  const named = found.filter(row => row.sn === name.sn && (name.org === null || row.from_org_id === name.org))
  if (named.length === 0) throw new BusinessError('notFound', `来源单${name.sn}不存在，请重新选择来源`)
  const usable = named.filter(row => sourceStates(row.take).includes(row.state))
  if (usable.length === 0) throw new BusinessError('wrongState', unusable(named[0]!))
  const [first, second] = usable
  if (!second) return first!
  const chosen = usable.find(row => row.role === 'own') ?? usable.find(row => row.from_org_id === hint.counterparty)
  if (!chosen)
    throw new BusinessError('invalid', `有多张来源单${name.sn}，请指明来源机构`, [
      { field: 'source_org_sn', msg: '请指明来源机构' },
    ])
  return chosen
}

/** The documents meant by `names` among this definition's source kinds, with what is left on each line. */
export async function openSources(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  names: readonly SourceName[],
  hint: SourceHint = {},
): Promise<Source[]> {
  const found = await findSources(tx, session, definition, names, hint)
  const chosen = new Map(names.map(name => chooseSource(found, name, hint)).map(row => [row.id, row]))
  const docs = await withCorrections(tx, session.org.id, await loadDocuments(tx, session.org.id, [...chosen.keys()]))
  const sources: Source[] = []
  for (const [take, group] of Map.groupBy(docs, doc => chosen.get(doc.id)!.take)) {
    const purposes = [take.purpose, ...(take.sharesLimitWith ?? [])]
    const progress = await takenOf(tx, { org: session.org.id, from: take.from, purposes }, group)
    for (const doc of group)
      sources.push({ doc, take, lines: doc.lines.map(line => openLine(take, doc, line, progress)) })
  }
  return sources
}

function openLine(
  take: SourceRule,
  doc: StoredDocument,
  line: StoredLine,
  progress: ReadonlyMap<string, TakenOfLine>,
): OpenLine {
  const taken = progress.get(`${doc.id}/${line.line_no}`)
  const stands = { ...line, reversed: taken?.reversed ?? '0', red_amount: taken?.red_amount ?? '0' }
  const closed = (name: 'taxed_amount' | 'untaxed_amount') => closedAmount(take, doc, line, name)
  const money = take.basis === 'amount'
  // A payment request includes the 尾差.
  const whole = money ? sum([netOfReversals(stands, true), line.rounding ?? '0'], 2) : netOfReversals(stands, false)
  return {
    line,
    left: subtract(whole, taken?.taken ?? '0', 3),
    restAmount: subtract(netOfReversals(stands, true), sum([taken?.amount ?? '0', closed('taxed_amount')], 2), 2),
    restUntaxed: subtract(
      sum([line.untaxed_amount, taken?.red_untaxed ?? '0'], 2),
      sum([taken?.untaxed ?? '0', closed('untaxed_amount')], 2),
      2,
    ),
    fits: fits(take, doc, line),
  }
}

const expectMessage = (
  row: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, readonly string[]>> = {},
) => Object.entries(words).every(([name, among]) => among.includes(String(row[name] ?? '')))
/** Whether document and line are of the sort that a take applies to. */
const fits = ({ eligible: only }: SourceRule, doc: StoredDocument, line: StoredLine): boolean =>
  !only || (expectMessage(doc, only.header) && expectMessage(line, only.line))

/** Whether anything is left of the line, in its own sign. */
export const hasRemainder = ({ line, left, fits }: OpenLine): boolean =>
  fits && (isNegative(line.base_quantity) || isNegative(line.taxed_amount) ? isNegative(left) : isPositive(left))

/** A base quantity in the entered unit, or in the base unit when the pack does not divide. */
function inEnteredUnit(base: Decimal, measure: number): { quantity: Decimal; divides: boolean } {
  const quantity = divide(base, String(measure), 3)
  return { quantity, divides: round(multiply(quantity, String(measure), 3), 3) === round(base, 3) }
}

/** What a follow-up line inherits; the user's input takes priority, as far as the document permits. */
function inherit(
  definition: AnyDocument,
  source: Source,
  open: OpenLine,
  written: LineInput,
  measures: ReadonlyMap<string, number>,
): LineInput {
  const { doc, take } = source
  const { line } = open
  const carried: Record<string, unknown> = {}
  // A source without prices leaves its follow-ups to be priced like lines entered by hand. What another organisation
  // sent without prices is not priced for it.
  const priced = doc.role === 'counterparty' || hasPrices(definitionOf(doc.kind))
  // Header values of the source that apply to all its lines (an invoice's number) are written on each line made from
  // it.
  for (const name of carriedFields(definition, take))
    carried[name] = line[name] ?? doc[name as keyof StoredDocument] ?? null
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
  const measure = line.unit_inner_sn ? (measures.get(line.unit_inner_sn) ?? 1) : 1
  const rest = inEnteredUnit(open.left, measure)
  const unit = rest.divides ? line.unit_inner_sn : null
  const whole = rest.divides ? rest.quantity : open.left
  const quantity =
    (written.quantity as Decimal | null | undefined) ??
    (written.unit_codes ? quantityOfCodes(line, written.unit_codes as string[]) : take.negates ? negate(whole) : whole)
  const price = rest.divides ? line.price : divide(line.price, String(measure), 4)
  const takesRest = round(quantity, 3) === round(take.negates ? negate(whole) : whole, 3)
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
    ...(takesRest && !anew && isSamePrice(written, price) ? restOf(open, take, written) : {}),
    ...defined(written),
  }
}

/** Whether the call leaves the source's price as it is. */
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
  definition: AnyDocument,
  sources: readonly Source[],
  headerSn: string | null,
  written: readonly LineInput[] | null,
  last = 0,
): Promise<LineInput[]> {
  const units = [
    ...new Set(
      sources.flatMap(source =>
        source.lines.flatMap(open => (open.line.unit_inner_sn ? [open.line.unit_inner_sn] : [])),
      ),
    ),
  ]
  const rows =
    units.length === 0
      ? []
      : await tx<
          { id: string; base_measure: number }[]
        >`select id, base_measure from unit_tree where id = any(${units}::bigint[])`
  const measures = new Map(rows.map(row => [row.id, row.base_measure]))
  if (written === null) {
    const all = sources.flatMap(source =>
      source.lines.filter(hasRemainder).map(open => inherit(definition, source, open, {}, measures)),
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
    return inherit(definition, source, open, line, measures)
  })
}

/** The definition of a document's kind; it exists once the registry was checked. */
export function definitionOf(kind: string): AnyDocument {
  const definition = documentOf(kind)
  if (!definition) throw new BusinessError('notFound', '没有这种单据')
  return definition
}
