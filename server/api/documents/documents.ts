import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { canBeCopied } from '#kernel/rules/action-availability.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import { documents, sheetOf } from '#kernel/registry.ts'
import { copyDocument } from '#server/documents/draft/copy.ts'
import { deleteDraft } from '#server/documents/draft/draft.ts'
import { claimScans } from '#server/documents/lines/code-scans.ts'
import { createDraft } from '#server/documents/draft/draft.ts'
import { editDocument } from '#server/documents/draft/edit.ts'
import { checkActionFields } from '#server/documents/action/action-fields.ts'
import { loadDocument, requireInScope } from '#server/documents/repository/load.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { exportDocuments } from '#server/documents/list/export.ts'
import { countPrint, printData } from '#server/documents/print/print.ts'
import { documentDetail } from '#server/documents/list/detail.ts'
import { blockedActions } from '#server/documents/action/blocked-actions.ts'
import { type RequestKey, runOnce, executeAction, previewAction } from '#server/documents/action/execute.ts'
import { proposeLots, canProposeLots } from '#server/documents/action/propose-lots.ts'
import { listOpenLines } from '#server/documents/list/open-source-lines.ts'
import { sendExport } from '#server/exports/export-stream.ts'
import { listDocuments } from '#server/documents/list/list.ts'
import { deliverDocument } from '#server/documents/intercompany/deliver.ts'
import { fingerprintOf } from '#server/access/idempotency.ts'
import { withKeptCodes } from '#server/ledger/named-codes.ts'
import { parseList, refuseOtherNames } from '#server/access/untrusted-input.ts'
import { checkPlaces } from '#server/access/data-scope.ts'
import { requirePermission, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { Database } from '#server/plugins/database.ts'
import { noteRefusal } from '#server/plugins/log.ts'
import { refuseUnentrusted } from '#server/identity/on-behalf.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { declaredBodyOf, reading } from '#server/api/request/transaction.ts'
import { requestIdOf } from '#server/http/request-id.ts'
import { asks, asksAsDeclared } from '#server/api/request/query-names.ts'
import { done, errorReply, reportBug } from '#server/http/envelope.ts'

type Query = Readonly<Record<string, unknown>>
const pathOf = (definition: AnyDocument, call: string) => `/v1/business/${definition.kind}/${call}`
const callOf = (request: FastifyRequest): RequestKey => ({
  requestId: requestIdOf(request),
  fingerprint: fingerprintOf(request.url, request.body ?? null),
})

/** The session of a call that writes. A user of the platform writes only for an organisation that entrusted it. */
const writerOf = (request: FastifyRequest, definition: AnyDocument) => {
  const session = sessionOf(request)
  refuseUnentrusted(session, definition)
  return session
}

/** Every call of every document. No line here names a kind. */
export function addDocuments(app: FastifyInstance, { app: sql, exports }: Pick<Database, 'app' | 'exports'>): void {
  for (const definition of documents()) {
    addReading(app, sql, definition)
    addExport(app, exports, definition)
    addDrafting(app, sql, definition)
    addActions(app, sql, definition)
  }
}

function addReading(app: FastifyInstance, sql: Sql, definition: AnyDocument): void {
  const get = (
    call: string,
    read: (
      tx: Parameters<Parameters<typeof reading>[2]>[0],
      session: ReturnType<typeof sessionOf>,
      query: Query,
    ) => Promise<Parameters<typeof done>[0]>,
    asked: typeof asksAsDeclared | ReturnType<typeof asks>,
  ) =>
    app.get<{ Querystring: Query }>(pathOf(definition, call), asked, request =>
      reading(sql, request, async (tx, session) => done(await read(tx, session, request.query))),
    )
  get('list', (tx, session, query) => listDocuments(tx, session, definition, query), asksAsDeclared)
  get('sources', (tx, session, query) => listOpenLines(tx, session, definition, query), asksAsDeclared)
  get(
    'info',
    async (tx, session, query) => ({
      info: await documentDetail(tx, session, definition, snOf(query), whoseOf(query)),
    }),
    asks(...ADDRESS),
  )
  get(
    'print',
    async (tx, session, query) => ({
      info: await printData(tx, session, definition, snOf(query), whoseOf(query), query),
    }),
    asks(...ADDRESS, 'sheet', 'copy', 'template', 'newest', 'trial'),
  )
}

function addExport(app: FastifyInstance, sql: Sql, definition: AnyDocument): void {
  app.get<{ Querystring: Query }>(pathOf(definition, 'export'), asksAsDeclared, (request, reply) => {
    const session = sessionOf(request)
    return sendExport(sql, session, exportDocuments(session, definition, request.query), reply)
  })
}

/** The parameters that name one document: its number, and whose copy of it is meant. */
const ADDRESS = ['sn', 'role', 'source_org_sn']
const snOf = (query: Query): string => {
  if (typeof query.sn !== 'string' || query.sn === '')
    throw new BusinessError('invalid', undefined, [{ field: 'sn', msg: '请给出单号' }])
  return query.sn
}
const whoseOf = (query: Query) => ({
  role: query.role === 'counterparty' ? ('counterparty' as const) : query.role === 'own' ? ('own' as const) : null,
  from: typeof query.source_org_sn === 'string' && /^\d{1,18}$/.test(query.source_org_sn) ? query.source_org_sn : null,
})

function addDrafting(app: FastifyInstance, sql: Sql, definition: AnyDocument): void {
  type Write = (
    ...given: [Parameters<typeof createDraft>[0], Parameters<typeof createDraft>[1], AnyDocument, Query]
  ) => Promise<unknown>
  const post = (call: string, write: Write) =>
    app.post(pathOf(definition, call), async request => {
      const session = writerOf(request, definition)
      return done({
        info: await runOnce<unknown>(sql, session, callOf(request), tx =>
          write(tx, session, definition, declaredBodyOf(request)),
        ),
      })
    })
  /** Lines that somebody scans and then saves count as scanned by that user. */
  const byHand =
    (write: typeof createDraft): Write =>
    async (tx, session, of, body) => {
      const saved = await write(tx, session, of, body)
      await claimScans(tx, session, of, saved.sn)
      return saved
    }
  post('add', byHand(createDraft))
  post('edit', byHand(editDocument))
  post('del', deleteDraft)
  if (canBeCopied(definition)) post('copy', copyDocument)
  if (sheetOf(definition.kind))
    post('printed', (tx, session, of, body) => {
      requirePermission(session, `${of.kind}.print`)
      refuseOtherNames(body, [...ADDRESS, 'sheet', 'template', 'revision', 'copy', 'reason'])
      return countPrint(tx, session, of, String(body.sn ?? ''), whoseOf(body), body)
    })
}

function addActions(app: FastifyInstance, sql: Sql, definition: AnyDocument): void {
  for (const action of Object.keys(definition.actions))
    app.post(pathOf(definition, action), async request =>
      done({
        info: await executeAction(
          sql,
          writerOf(request, definition),
          definition,
          action,
          declaredBodyOf(request),
          callOf(request),
        ),
      }),
    )
  app.post(pathOf(definition, 'rehearse'), async request =>
    done({ info: await previewAction(sql, writerOf(request, definition), definition, declaredBodyOf(request)) }),
  )
  app.post(pathOf(definition, 'offers'), async request =>
    done({
      info: { refused: await blockedActions(sql, writerOf(request, definition), definition, declaredBodyOf(request)) },
    }),
  )
  if (canProposeLots(definition))
    app.post(pathOf(definition, 'propose'), request =>
      reading(sql, request, async (tx, session) =>
        done({ info: await proposeLots(tx, session, definition, declaredBodyOf(request)) }),
      ),
    )
  app.post(pathOf(definition, 'batch'), request => batch(sql, request, definition))
  for (const [name, work] of Object.entries(documentRulesOf(definition.kind).calls ?? {}))
    app.post(pathOf(definition, name), async request => {
      const session = writerOf(request, definition)
      requirePermission(session, `${definition.kind}.${name}`)
      // A call creates documents, so only organisations that keep such documents may make it.
      const makers = definition.lifecycle.listActions?.[name]?.orgs ?? definition.ownerTypes
      if (makers !== '' && !makers.includes(session.org.type)) throw new BusinessError('forbidden')
      const answers = answersOf(session, definition, name, declaredBodyOf(request))
      const info = await runOnce(sql, session, callOf(request), async tx => {
        const asked = await keptAnswers(tx, session, definition, name, answers)
        await requireNamed(tx, session, definition.lifecycle.listActions?.[name]?.documents ?? {}, asked)
        return work(tx, session, asked)
      })
      const written = Array.isArray(info.sns) ? (info.sns as readonly string[]) : [info.sn]
      for (const sn of written) if (typeof sn === 'string') await deliverDocument(sql, session.org.id, sn)
      return done({ info })
    })
}

/** Refuses numbers of documents that the caller does not see. */
async function requireNamed(tx: Tx, session: Session, named: Readonly<Record<string, string>>, asked: Query) {
  for (const [input, kind] of Object.entries(named)) {
    const sn = asked[input]
    if (typeof sn !== 'string') continue
    const definition = definitionOf(kind)
    requireInScope(session, definition, await loadDocument(tx, session.org.id, definition, sn.trim()))
  }
}

/** The inputs of the call, parsed by their fields; unknown ones are refused. */
function answersOf(session: Session, definition: AnyDocument, name: string, body: Query): Query {
  const asks = definition.lifecycle.listActions?.[name]?.inputs ?? {}
  const { values, problems } = parseFields(asks, body)
  if (problems.length > 0) throw new BusinessError('invalid', problems[0]!.msg, problems)
  checkPlaces(session, asks, values)
  return values
}

/** The answers with the codes as they are kept. */
async function keptAnswers(tx: Tx, session: Session, { lifecycle }: AnyDocument, name: string, answers: Query) {
  const [kept] = await withKeptCodes(tx, session.org.id, lifecycle.listActions?.[name]?.inputs ?? {}, [answers])
  return kept!
}

const MOST_ITEMS = 200

/** Each item has its own transaction and its own answer; the batch as a whole always succeeds. */
async function batch(sql: Sql, request: FastifyRequest, definition: AnyDocument) {
  const session = writerOf(request, definition)
  const { action: asked, items: named, ...given } = declaredBodyOf(request)
  const action = String(asked ?? '')
  if (action !== 'del' && !Object.hasOwn(definition.actions, action))
    throw new BusinessError('invalid', undefined, [{ field: 'action', msg: `${definition.title}没有这个操作` }])
  checkActionFields(definition, action, given)
  const items = itemsOf(named)
  const call = callOf(request)
  const list = []
  for (const [at, item] of items.entries()) {
    const one: RequestKey = {
      requestId: call.requestId === null ? null : `${call.requestId.slice(0, 58)}.${at}`,
      fingerprint: `${call.fingerprint}.${at}`,
    }
    const began = Date.now()
    try {
      const info =
        action === 'del'
          ? await runOnce<unknown>(sql, session, one, tx => deleteDraft(tx, session, definition, { ...item, ...given }))
          : await executeAction(sql, session, definition, action, { ...item, ...given }, one)
      list.push({ sn: item.sn, code: 0, msg: '', info })
    } catch (error) {
      // The items before this one are already done, so their answers must not be lost with it.
      const answer = errorReply(error)
      reportBug(request, error, answer)
      await noteRefusal(sql, request, { sn: item.sn, error, action, tookMs: Date.now() - began })
      list.push({ sn: item.sn, ...answer.body })
    }
  }
  return done({ list, total: list.length })
}

function itemsOf(raw: unknown): Query[] {
  const items = parseList(raw)
  if (items === null || items.length === 0)
    throw new BusinessError('invalid', '请先勾选表格中的复选框，再进行该操作。', [
      { field: 'items', msg: '请先勾选表格中的复选框，再进行该操作。' },
    ])
  if (items.length > MOST_ITEMS) throw new BusinessError('invalid', `一次最多处理${MOST_ITEMS}张单据`)
  return items.map(item => (typeof item === 'object' && item !== null ? (item as Query) : {}))
}
