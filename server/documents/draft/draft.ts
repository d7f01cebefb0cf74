import { today } from '#kernel/values/date.ts'
import { withDefaults } from '#kernel/values/defaults.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { sourceTypeNames, sourceTypes } from '#kernel/definition/source-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { checkHeaderNames, checkVersion, type DocumentInput, parseInput } from '#server/documents/draft/input.ts'
import { checkActionFields } from '#server/documents/action/action-fields.ts'
import { diffDocument } from '#server/documents/repository/changes.ts'
import { completeLines, type LineInput } from '#server/documents/lines/complete.ts'
import { editSubmitted, refuseCorrections } from '#server/documents/draft/edit-submitted.ts'
import { inheritHeader } from '#server/documents/sources/inherit-header.ts'
import { defaultHandler } from '#server/documents/draft/handler.ts'
import { refuseKept, writeHistory } from '#server/documents/repository/history.ts'
import { lineNumbers } from '#server/documents/lines/line-numbers.ts'
import { keepSourceLinks, toLineInput } from '#server/documents/lines/keep-lines.ts'
import { loadDocument, requireInScope } from '#server/documents/repository/load.ts'
import { nextNumber } from '#server/documents/repository/numbering.ts'
import { clearPartnerFields, partnerDefaults } from '#server/documents/draft/partner-defaults.ts'
import { checkReferences } from '#server/documents/repository/references.ts'
import { checkTargetsSeen } from '#server/documents/progress/secondary-target.ts'
import { inheritLines } from '#server/documents/sources/inherit-lines.ts'
import { openSources, type Source, type SourceName } from '#server/documents/sources/open-source.ts'
import { fillWarehouse } from '#server/documents/draft/default-warehouse.ts'
import {
  customHeaderFields,
  type StoredDocument,
  writableHeaderFields,
  writableLineFields,
} from '#server/documents/repository/document.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import { type HeaderValues, insertDocument, updateDocument } from '#server/documents/repository/save.ts'
import { withKeptCodes } from '#server/ledger/named-codes.ts'
import { dropUnreadablePrices } from '#server/access/sensitive-fields.ts'
import { checkActsThere, checkScope } from '#server/access/data-scope.ts'
import { requirePermission, type Session } from '#server/access/session.ts'
import { documentRules } from '#server/rulebook/document-rules.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The header with the defaults of its fields; it has a business date always. */
function headerWithDefaults(definition: AnyDocument, header: Record<string, unknown>): Record<string, unknown> {
  const filled = withDefaults(definition.header, header)
  return { ...filled, business_date: filled.business_date ?? today() }
}

export type Draft = {
  readonly header: HeaderValues
  readonly lines: Awaited<ReturnType<typeof completeLines>>
  readonly sources: readonly Source[]
}

/** Every source named by header and lines, once. */
function sourceNames(
  headerSn: string | null,
  headerOrg: string | null,
  lines: readonly LineInput[] | null,
): SourceName[] {
  const names = new Map<string, SourceName>()
  const note = (sn: string | null, org: string | null) => sn && names.set(`${sn}/${org ?? ''}`, { sn, org })
  note(headerSn, headerOrg)
  for (const line of lines ?? []) {
    const sn = (line.source_sn as string | null | undefined) ?? null
    note(sn, (line.source_org_sn as string | null | undefined) ?? (sn === headerSn ? headerOrg : null))
  }
  return [...names.values()]
}

/**
 * Builds a complete draft from the input: sources first, then defaults, then the known data of each line.
 * `standing`: the draft as it was before.
 */
export async function buildDraft(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  header: Record<string, unknown>,
  lines: LineInput[] | null,
  standing: StoredDocument | null = null,
): Promise<Draft> {
  const headerSn = (header.source_sn as string | null | undefined) ?? null
  const headerOrg = (header.source_org_sn as string | null | undefined) ?? null
  // A draft that is given another source keeps the type of the one before, unless it says another.
  const isKept =
    standing !== null &&
    standing.source_type === header.source_type &&
    (headerSn === null || standing.source_sn !== headerSn)
  const hint = {
    type: isKept ? null : (header.source_type as number | null),
    main: headerSn,
    counterparty: header.counterparty_sn as string | null,
  }
  await checkTargetsSeen(tx, session, definition, lines ?? [], standing?.last_line_no)
  const sources = await openSources(tx, session, definition, sourceNames(headerSn, headerOrg, lines), hint)
  const main = sources.find(source => source.doc.sn === headerSn) ?? sources[0]
  const given = main ? inheritHeader(definition, main, header, standing) : withoutSource(header, standing)
  const full = headerWithDefaults(definition, given)
  Object.assign(full, await partnerDefaults(tx, session, definition, full))
  if (main) await fillWarehouse(tx, session, definition, main, full)
  full.handler_inner_sn = await defaultHandler(tx, session, definition, full, 'draft')
  oneCounterparty(definition, sources, full)
  if (!main && definition.lifecycle.manualEntry === false)
    throw new BusinessError('rule', `${definition.title}不能手工新增，请引用来源单`)
  if (main && !headerSn) Object.assign(full, sources.length > 1 ? { source_sn: null, source_document_id: null } : {})
  const inputs = await inheritLines(tx, session.org.id, definition, sources, headerSn, lines, standing?.last_line_no)
  await checkReferences(tx, session, definition, full, inputs, standing?.last_line_no, sources.some(isRelayed))
  const completed = await completeLines(
    tx,
    session,
    definition,
    full,
    inputs,
    standing?.last_line_no ?? 0,
    standing?.id ?? null,
  )
  return { header: full, lines: completed, sources }
}

/**
 * A draft without a source number has the source type for none: another type is refused, and the type of a source that
 * was removed is cleared.
 */
function withoutSource(
  header: Readonly<Record<string, unknown>>,
  standing: StoredDocument | null,
): Record<string, unknown> {
  const type = header.source_type ?? sourceTypes.NONE
  if (type === sourceTypes.NONE) return { ...header }
  if (standing?.source_type === type) return { ...header, source_type: sourceTypes.NONE }
  const named = sourceTypeNames[String(type)]
  const msg = named ? `来源类型为【${named}】，请选择来源单` : '来源类型有误，请重新选择来源单'
  throw new BusinessError('invalid', msg, [{ field: named ? 'source_sn' : 'source_type', msg }]).because(
    documentRules.sourceNamed,
  )
}

/** True if a lessor ships to a partner of the tenant: the source then names another organisation than its sender. */
const isRelayed = ({ take }: Source): boolean => take.headerMap?.counterparty_sn !== undefined

/** Documents with several sources may only combine sources of one partner. */
function oneCounterparty(
  definition: AnyDocument,
  sources: readonly Source[],
  header: Readonly<Record<string, unknown>>,
): void {
  const other = sources.find(
    source =>
      source.doc.counterparty_sn !== null &&
      source.doc.counterparty_sn !== header.counterparty_sn &&
      !isRelayed(source),
  )
  if (!other || definition.posting.stockDirection === 'out' || !('counterparty_sn' in definition.header)) return
  const label = definition.header.counterparty_sn?.label ?? '往来单位'
  throw new BusinessError('rule', `请选择同一${label}的来源单（${other.doc.sn}）`, [
    { field: 'source_sn', msg: `请选择同一${label}的来源单（${other.doc.sn}）` },
  ])
}

type Written = ReturnType<typeof parseInput>

/** The input without money, for users who may not see it. */
function withoutMoney(session: Session, definition: AnyDocument, { header, lines }: Written, last = 0): Written {
  const numbers = lineNumbers(lines ?? [], last)
  const lineFields = writableLineFields(definition)
  return {
    header: dropUnreadablePrices(session, writableHeaderFields(definition), header),
    lines: lines?.map((line, at) => dropUnreadablePrices(session, lineFields, line, numbers[at])) ?? null,
  }
}

/** What a body writes, with the codes under which pieces, kits and instruments are kept. */
async function readWritten(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  body: DocumentInput,
  last = 0,
): Promise<Written> {
  const { header, lines } = withoutMoney(session, definition, parseInput(definition, body, last), last)
  const [kept] = await withKeptCodes(tx, session.org.id, definition.header, [header])
  return {
    header: kept!,
    lines: lines && (await withKeptCodes(tx, session.org.id, definition.lines, lines)),
  }
}

/** `add`: a draft with its number. Reply: sn and version. */
export async function createDraft(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  body: DocumentInput,
): Promise<{ sn: string; version: number }> {
  requirePermission(session, `${definition.kind}.add`)
  if (definition.ownerTypes !== '' && !definition.ownerTypes.includes(session.org.type))
    throw new BusinessError('forbidden')
  const written = await readWritten(tx, session, definition, body)
  refuseCorrections(definition, written, null)
  const draft = await buildDraft(tx, session, definition, written.header, written.lines)
  checkScope(session, definition, draft.header, draft.lines)
  return { sn: await saveDraft(tx, session, definition, draft, 'draft'), version: 1 }
}

/**
 * Numbers and writes a composed draft, by a user, who acts in its stores and departments, or by the system, with its
 * module's additions.
 */
export async function saveDraft(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  draft: Draft,
  state: 'draft' | 'submitted',
  reason: string | null = null,
): Promise<string> {
  const sn = await nextNumber(tx, session.org.id, definition)
  const id = await insertDocument(
    tx,
    session.org.id,
    definition,
    { sn, state, createdBy: session.userId, sourceDocument: (draft.header.source_document_id as string) ?? null },
    draft.header,
    draft.lines,
  )
  await writeHistory(tx, session, id, { action: 'add', label: '新增', from: null, to: state, reason })
  await documentRulesOf(definition.kind).afterSave?.(tx, session, sn)
  return sn
}

const editable = ['draft', 'rejected']

/**
 * `edit`: omitted header fields are kept; `lines`, when sent, replace all lines; a line sent with its line_no keeps
 * its identity.
 */
export async function editDraft(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  body: DocumentInput,
): Promise<{ sn: string; version: number }> {
  requirePermission(session, `${definition.kind}.edit`)
  checkHeaderNames(definition, body)
  const doc = requireInScope(
    session,
    definition,
    await loadDocument(tx, session.org.id, definition, String(body.sn ?? ''), { lock: true }),
  )
  checkVersion(doc.version, body.version)
  const waiting = doc.state === 'submitted' && Boolean(definition.lifecycle.editableWhenSubmitted)
  if (!editable.includes(doc.state) && !waiting) throw new BusinessError('wrongState')
  checkActsThere(session, definition, waiting ? 'editSubmitted' : 'edit', doc)
  const last = doc.last_line_no
  const written = await readWritten(tx, session, definition, body, last)
  if (waiting) return editSubmitted(tx, session, definition, doc, written)
  refuseCorrections(definition, written, doc)
  const kept = Object.fromEntries(
    Object.keys({ ...customHeaderFields(definition), ...writableHeaderFields(definition) }).map(name => [
      name,
      doc[name as keyof typeof doc] ?? null,
    ]),
  )
  const lines =
    written.lines === null
      ? doc.lines.map(toLineInput(definition))
      : written.lines.map(line =>
          keepSourceLinks(
            definition,
            doc.lines.find(old => old.line_no === line.line_no),
            line,
          ),
        )
  const header = { ...kept, ...clearPartnerFields(definition, doc.counterparty_sn, written.header), ...written.header }
  const draft = await buildDraft(tx, session, definition, header, lines, doc)
  checkScope(session, definition, draft.header, draft.lines)
  const behind = await copyBehind(tx, session, doc.source_document_id, draft.sources)
  const standing = { ...draft.header, ...(behind ? { source_document_id: behind } : {}) }
  const version = await updateDocument(tx, session, definition, doc.id, standing, draft.lines, 'author')
  await writeHistory(tx, session, doc.id, {
    action: 'edit',
    label: '编辑',
    from: doc.state,
    to: doc.state,
    changed: diffDocument(definition, doc, draft.header, draft.lines as never),
  })
  return { sn: doc.sn, version }
}

/** A draft created by another organisation's document keeps that origin, though its lines come from own documents. */
async function copyBehind(
  tx: Tx,
  session: Session,
  source: string | null,
  sources: readonly Source[],
): Promise<string | null> {
  if (!source || sources.some(candidate => candidate.doc.id === source)) return null
  const [copy] = await tx<{ id: string }[]>`
    select id from document where org_id = ${session.org.id} and id = ${source} and role = 'counterparty'`
  return copy?.id ?? null
}

/** `del`: the document is deleted, its number stays as a tombstone, so that the sequence has no gap. */
export async function deleteDraft(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  body: DocumentInput,
): Promise<{ sn: string }> {
  requirePermission(session, `${definition.kind}.del`)
  checkActionFields(definition, 'del', body)
  const doc = requireInScope(
    session,
    definition,
    await loadDocument(tx, session.org.id, definition, String(body.sn ?? ''), { lock: true }),
  )
  checkVersion(doc.version, body.version)
  if (!editable.includes(doc.state)) throw new BusinessError('wrongState')
  checkActsThere(session, definition, 'del', doc)
  await refuseKept(tx, session.org.id, definition, doc, '删除')
  await tx`update document set state = 'deleted', version = version + 1
    where org_id = ${session.org.id} and id = ${doc.id}`
  await writeHistory(tx, session, doc.id, { action: 'del', label: '删除', from: doc.state, to: 'deleted' })
  await documentRulesOf(definition.kind).afterDelete?.(tx, session, doc)
  return { sn: doc.sn }
}
