import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import type { AnyDocument } from '#kernel/document.ts'
import { canBeCopied } from '#kernel/offered.ts'
import { parseFields } from '#kernel/parse.ts'
import { Refusal, Unconfirmed } from '#kernel/refusal.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import { documents, sheetOf } from '#kernel/registry.ts'
import { copyDocument } from '#server/engine/documents/copy.ts'
import { deleteDocument } from '#server/engine/documents/draft.ts'
import { addDocument } from '#server/engine/documents/draft.ts'
import { editPaper } from '#server/engine/documents/edit.ts'
import { documentsCarriedOut } from '#server/engine/documents/export.ts'
import { countPrint, printInfo } from '#server/engine/documents/print.ts'
import { documentInfo } from '#server/engine/documents/info.ts'
import { refusalsAhead } from '#server/engine/documents/offers.ts'
import { type Call, once, perform, rehearse } from '#server/engine/documents/perform.ts'
import { proposeLots, proposes } from '#server/engine/documents/propose.ts'
import { openLines } from '#server/engine/documents/sources.ts'
import { sendCarryOut } from '#server/engine/exports/carry-out.ts'
import { listDocuments } from '#server/engine/documents/list.ts'
import { deliverOf } from '#server/engine/deliver.ts'
import { fingerprintOf } from '#server/engine/idempotent.ts'
import { listOf } from '#server/engine/sent.ts'
import { mustBeAllowed } from '#server/engine/session.ts'
import type { Database } from '#server/plugins/database.ts'
import { noteRefusal } from '#server/plugins/log.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { bodyOf, reading, requestIdOf } from '#server/wire/changing.ts'
import { answerTo, done } from '#server/wire/envelope.ts'

type Query = Readonly<Record<string, unknown>>
const pathOf = (definition: AnyDocument, call: string) => `/v1/business/${definition.kind}/${call}`
const callOf = (request: FastifyRequest): Call => ({
  requestId: requestIdOf(request),
  fingerprint: fingerprintOf(request.url, request.body ?? null),
})

/** Every call of every paper. No line here knows a kind by name. */
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
  ) =>
    app.get<{ Querystring: Query }>(pathOf(definition, call), request =>
      reading(sql, request, async (tx, session) => done(await read(tx, session, request.query))),
    )
  get('list', (tx, session, query) => listDocuments(tx, session, definition, query))
  get('sources', (tx, session, query) => openLines(tx, session, definition, query))
  get('info', async (tx, session, query) => ({
    info: await documentInfo(tx, session, definition, snOf(query), whoseOf(query)),
  }))
  get('print', async (tx, session, query) => ({
    info: await printInfo(tx, session, definition, snOf(query), whoseOf(query), query),
  }))
}

function addExport(app: FastifyInstance, sql: Sql, definition: AnyDocument): void {
  app.get<{ Querystring: Query }>(pathOf(definition, 'export'), (request, reply) => {
    const session = sessionOf(request)
    return sendCarryOut(sql, session, documentsCarriedOut(session, definition, request.query), reply)
  })
}

const snOf = (query: Query): string => {
  if (typeof query.sn !== 'string' || query.sn === '')
    throw new Refusal('invalid', undefined, [{ field: 'sn', msg: '请给出单号' }])
  return query.sn
}
const whoseOf = (query: Query) => ({
  role: query.role === 'counterparty' ? ('counterparty' as const) : query.role === 'own' ? ('own' as const) : null,
  from: typeof query.source_org_sn === 'string' && /^\d{1,18}$/.test(query.source_org_sn) ? query.source_org_sn : null,
})

function addDrafting(app: FastifyInstance, sql: Sql, definition: AnyDocument): void {
  type Write = (
    ...given: [Parameters<typeof addDocument>[0], Parameters<typeof addDocument>[1], AnyDocument, Query]
  ) => Promise<unknown>
  const post = (call: string, write: Write) =>
    app.post(pathOf(definition, call), async request => {
      const session = sessionOf(request)
      return done({
        info: await once<unknown>(sql, session, callOf(request), tx => write(tx, session, definition, bodyOf(request))),
      })
    })
  post('add', addDocument)
  post('edit', editPaper)
  post('del', deleteDocument)
  if (canBeCopied(definition)) post('copy', copyDocument)
  if (sheetOf(definition.kind))
    post('printed', (tx, session, of, body) => countPrint(tx, session, of, String(body.sn ?? ''), whoseOf(body), body))
}

function addActions(app: FastifyInstance, sql: Sql, definition: AnyDocument): void {
  for (const action of Object.keys(definition.actions))
    app.post(pathOf(definition, action), async request =>
      done({ info: await perform(sql, sessionOf(request), definition, action, bodyOf(request), callOf(request)) }),
    )
  app.post(pathOf(definition, 'rehearse'), async request =>
    done({ info: await rehearse(sql, sessionOf(request), definition, bodyOf(request)) }),
  )
  app.post(pathOf(definition, 'offers'), async request =>
    done({ info: { refused: await refusalsAhead(sql, sessionOf(request), definition, bodyOf(request)) } }),
  )
  if (proposes(definition))
    app.post(pathOf(definition, 'propose'), request =>
      reading(sql, request, async (tx, session) =>
        done({ info: await proposeLots(tx, session, definition, bodyOf(request)) }),
      ),
    )
  app.post(pathOf(definition, 'batch'), request => batch(sql, request, definition))
  for (const [name, work] of Object.entries(documentRulesOf(definition.kind).calls ?? {}))
    app.post(pathOf(definition, name), async request => {
      const session = sessionOf(request)
      mustBeAllowed(session, `${definition.kind}.${name}`)
      // A call makes papers, and only who keeps such papers makes them.
      const makers = definition.calls?.[name]?.orgs ?? definition.keptBy
      if (makers !== '' && !makers.includes(session.org.type)) throw new Refusal('forbidden')
      const asked = answersOf(definition, name, bodyOf(request))
      const info = await once(sql, session, callOf(request), tx => work(tx, session, asked))
      const written = Array.isArray(info.sns) ? (info.sns as readonly string[]) : [info.sn]
      for (const sn of written) if (typeof sn === 'string') await deliverOf(sql, session.org.id, sn)
      return done({ info })
    })
}

/** What the call asks for, read as the fields say; what it does not ask for is refused. */
function answersOf(definition: AnyDocument, name: string, body: Query): Query {
  const asks = definition.calls?.[name]?.asks ?? {}
  const { values, problems } = parseFields(asks, body)
  if (problems.length > 0) throw new Refusal('invalid', problems[0]!.msg, problems)
  return values
}

const MOST_ITEMS = 200

/** Each item its own transaction and its own answer; the batch as a whole always succeeds. */
async function batch(sql: Sql, request: FastifyRequest, definition: AnyDocument) {
  const session = sessionOf(request)
  const body = bodyOf(request)
  const action = String(body.action ?? '')
  if (action !== 'del' && !Object.hasOwn(definition.actions, action))
    throw new Refusal('invalid', undefined, [{ field: 'action', msg: `${definition.title}没有这个操作` }])
  const items = itemsOf(body.items)
  const call = callOf(request)
  const list = []
  for (const [at, item] of items.entries()) {
    const one: Call = {
      requestId: call.requestId === null ? null : `${call.requestId.slice(0, 58)}.${at}`,
      fingerprint: `${call.fingerprint}.${at}`,
    }
    const began = Date.now()
    try {
      const info =
        action === 'del'
          ? await once<unknown>(sql, session, one, tx => deleteDocument(tx, session, definition, item))
          : await perform(
              sql,
              session,
              definition,
              action,
              {
                ...item,
                ...(body.reason ? { reason: body.reason } : {}),
                ...(body.confirm ? { confirm: body.confirm } : {}),
              },
              one,
            )
      list.push({ sn: item.sn, code: 0, msg: '', info })
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof Unconfirmed)) throw error
      await noteRefusal(sql, request, { sn: item.sn, error, action, tookMs: Date.now() - began })
      list.push({ sn: item.sn, ...answerTo(error).body })
    }
  }
  return done({ list, total: list.length })
}

function itemsOf(raw: unknown): Query[] {
  const items = listOf(raw)
  if (items === null || items.length === 0)
    throw new Refusal('invalid', '请先勾选表格中的复选框，再进行该操作。', [
      { field: 'items', msg: '请先勾选表格中的复选框，再进行该操作。' },
    ])
  if (items.length > MOST_ITEMS) throw new Refusal('invalid', `一次最多处理${MOST_ITEMS}张单据`)
  return items.map(item => (typeof item === 'object' && item !== null ? (item as Query) : {}))
}
