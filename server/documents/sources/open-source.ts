import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { type Decimal, isNegative, isPositive, subtract, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { documentOf } from '#kernel/registry.ts'
import { sourceTypeNames } from '#kernel/definition/source-type.ts'
import { withCorrections } from '#server/documents/progress/corrections.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import { sourceStates } from '#server/documents/progress/lock-sources.ts'
import { netOfReversals } from '#server/documents/progress/limits.ts'
import { takenOf, type TakenOfLine } from '#server/documents/progress/taken.ts'
import { closedAmount } from '#server/documents/progress/source-rules.ts'
import { type StoredDocument, type StoredLine } from '#server/documents/repository/document.ts'
import { sourceScopeSql } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A source line with what is left of it for a purpose. */
export type OpenLine = {
  readonly line: StoredLine
  readonly left: Decimal
  readonly restAmount: Decimal
  readonly restUntaxed: Decimal
  /** True if the take applies to lines like this one. */
  readonly fits: boolean
}
export type Source = { readonly doc: StoredDocument; readonly take: SourceRule; readonly lines: readonly OpenLine[] }

/** A source named by a call: its number, and the number's organisation if given. */
export type SourceName = { readonly sn: string; readonly org: string | null }
/**
 * What the document being made says of its sources: their type, and which of them its header names. They distinguish
 * documents with the same number, for numbers are only unique within an organisation.
 */
export type SourceHint = {
  readonly type?: number | null
  readonly main?: string | null
  readonly counterparty?: string | null
}

type Found = {
  id: string
  kind: string
  sn: string
  source_sn: string | null
  role: string
  state: string
  from_org_id: string
  fields: Readonly<Record<string, unknown>>
  take: SourceRule
  /** True if it is of the type that was said, if one was. */
  isOfType: boolean
  /** The types of source that such a document is. */
  types: readonly number[]
}

async function findSources(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  names: readonly SourceName[],
  hint: SourceHint,
): Promise<Found[]> {
  const takes = definition.sourcing.sources ?? []
  const rows = await tx<Omit<Found, 'take' | 'isOfType' | 'types'>[]>`
    select d.id, d.kind, d.sn, d.source_sn, d.role, d.state, d.from_org_id, d.fields from document d
     where d.org_id = ${session.org.id} and d.sn = any(${[...new Set(names.map(name => name.sn))]})
       and d.kind = any(${takes.map(take => take.from)}) and d.state <> 'deleted'
       and ${sourceScopeSql(tx, session)}`
  return rows.flatMap(row => {
    const fits = takes.filter(
      take => take.from === row.kind && (row.role === 'counterparty') === (take.fromCounterparty ?? false),
    )
    const types = fits.map(take => take.sourceType)
    const isOfType = !hint.type || types.includes(hint.type)
    const take = fits.find(candidate => isOfType && candidate.sourceType === hint.type) ?? fits[0]
    return take ? [{ ...row, take, isOfType, types }] : []
  })
}

/** Why a document cannot be used as a source: the kind's own message while it is not ready yet. */
function unusable({ sn, source_sn, state, fields, take }: Found): string {
  const early = ['draft', 'submitted', 'rejected'].includes(state)
  const { notReadyWhen: why } = take
  if (early && why && fields[why.field] === why.is) return why.message
  if (!take.notReadyMessage || !early) return `来源单${sn}当前状态不能引用，请确认已审核且未终止`
  return take.notReadyMessage.replace('{sn}', sn).replace('{from}', source_sn ?? sn)
}

/**
 * Refuses a type of source that is not that of the source in the header, or of none on the lines: a line may take from
 * a source of another type than the others.
 */
function checkType(found: readonly Found[], names: readonly SourceName[], { type, main }: SourceHint): void {
  const meant = (name: SourceName) =>
    found.filter(row => row.sn === name.sn && (name.org === null || row.from_org_id === name.org))
  const heads = names.filter(name => !main || name.sn === main)
  const [wrong] = heads.flatMap(meant)
  if (!type || !wrong || heads.flatMap(meant).some(({ isOfType }) => isOfType)) return
  const said = (one: number) => `【${sourceTypeNames[String(one)] ?? one}】`
  const msg =
    `来源单${wrong.sn}是${definitionOf(wrong.kind).title}，来源类型应为${[...new Set(wrong.types)].map(said).join('或')}，` +
    `不能为${said(type)}`
  throw new BusinessError('invalid', msg, [{ field: 'source_type', msg }])
}

/**
 * The one document that a name means: decided by the number's organisation, then by the partner of the document
 * being made.
 */
function chooseSource(found: readonly Found[], name: SourceName, hint: SourceHint): Found {
  const alike = found.filter(row => row.sn === name.sn && (name.org === null || row.from_org_id === name.org))
  const named = alike.some(({ isOfType }) => isOfType) ? alike.filter(({ isOfType }) => isOfType) : alike
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
  checkType(found, names, hint)
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
/** True if document and line are of the sort that a take applies to. */
const fits = ({ eligible: only }: SourceRule, doc: StoredDocument, line: StoredLine): boolean =>
  !only || (expectMessage(doc, only.header) && expectMessage(line, only.line))

/** True if anything is left of the line, in its own sign. */
export const hasRemainder = ({ line, left, fits }: OpenLine): boolean =>
  fits && (isNegative(line.base_quantity) || isNegative(line.taxed_amount) ? isNegative(left) : isPositive(left))

/** The definition of a document's kind; it exists once the registry was checked. */
export function definitionOf(kind: string): AnyDocument {
  const definition = documentOf(kind)
  if (!definition) throw new BusinessError('notFound', '没有这种单据')
  return definition
}
