import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { entities } from '#kernel/registry.ts'
import { sendExport } from '#server/exports/export-stream.ts'
import { exportRecords } from '#server/records/export.ts'
import { readerOf } from '#server/records/platform.ts'
import { findRecord, keeperOf, listRecords } from '#server/records/read.ts'
import { readableOf, shownOf } from '#server/records/reading-rights.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { deliverRecord, followedRow, isFollowed, keepForLater } from '#server/records/outbox.ts'
import { hasSwitch, rowActions, switches } from '#server/records/row-actions.ts'
import { actOnRecord, addRecord, deleteRecord, editRecord, switchRecord, type Written } from '#server/records/write.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { Database } from '#server/plugins/database.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { changing, declaredBodyOf, reading } from '#server/api/request/transaction.ts'
import { asks, asksAsDeclared } from '#server/api/request/query-names.ts'
import { done, type Envelope } from '#server/http/envelope.ts'

/** Every call of every record definition. */
export function addRecords(
  app: FastifyInstance,
  { app: sql, exports, owner }: Pick<Database, 'app' | 'exports' | 'owner'>,
): void {
  for (const definition of entities()) {
    addReading(app, sql, definition)
    addExport(app, exports, definition)
    if (!definition.readOnly) addWriting(app, { sql, owner }, definition)
  }
}

const pathOf = (definition: AnyEntity, call: string) => `/v1/business/${definition.kind}/${call}`
type Query = Readonly<Record<string, unknown>>

function addReading(app: FastifyInstance, sql: Sql, definition: AnyEntity): void {
  app.get<{ Querystring: Query }>(pathOf(definition, 'list'), asksAsDeclared, request =>
    reading(sql, request, async (tx, session) => done(await listRecords(tx, session, definition, request.query))),
  )

  app.get<{ Querystring: Query }>(pathOf(definition, 'info'), asks('sn', definition.key, 'of_org_sn'), request =>
    reading(sql, request, async (tx, session) => {
      const readable = readableOf(session, definition)
      if (readable === null) throw new BusinessError('forbidden')
      const { sn, [definition.key]: key, of_org_sn: chosen } = request.query
      const reader = await readerOf(tx, session, definition, chosen)
      const row = await findRecord(tx, reader, definition, sn ?? key)
      // Who may only pick the row sees of it what the picker shows.
      if (readable !== definition) return done({ info: { ...shownOf(definition, readable)(row), actions: [] } })
      const [actions] = reader === session ? await rowActions(tx, session, definition, [row]) : [[]]
      const keeper = await keeperOf(tx, reader, definition)
      return done({ info: definition.key in keeper ? { ...keeper, ...row, actions } : { ...row, ...keeper, actions } })
    }),
  )
}

function addExport(app: FastifyInstance, sql: Sql, definition: AnyEntity): void {
  app.get<{ Querystring: Query }>(pathOf(definition, 'export'), asksAsDeclared, (request, reply) => {
    const session = sessionOf(request)
    return sendExport(sql, session, exportRecords(session, definition, request.query), reply)
  })
}

type Write = (tx: Tx, session: Session, definition: AnyEntity, body: Query) => Promise<Written>

function addWriting(
  app: FastifyInstance,
  { sql, owner }: { readonly sql: Sql; readonly owner: Sql },
  definition: AnyEntity,
): void {
  const post = (call: string, write: Write, writer = sql) =>
    app.post(pathOf(definition, call), async request => {
      let fresh: string | null = null
      const reply = await changing(writer, request, async (tx, session) => {
        const body = declaredBodyOf(request)
        const follows = isFollowed(definition, call)
        const gone = follows && call === 'del' ? await followedRow(tx, session, definition, body.sn) : null
        const written = await write(tx, session, definition, body)
        fresh = written.sn
        const row = follows && call !== 'del' ? await followedRow(tx, session, definition, written.sn) : gone
        if (row) await keepForLater(tx, session, definition, call, written.sn, row)
        return done({ info: { ...written, [definition.key]: written.sn } })
      })
      if (fresh === null) return reply
      if (isFollowed(definition, call)) await followUp(sql, request, definition, fresh)
      return withNotices(sql, request, definition, call, reply)
    })
  post('add', addRecord)
  post('edit', editRecord)
  post('del', deleteRecord, definition.deletedByOwner ? owner : sql)
  if (hasSwitch(definition)) {
    post('enable', (tx, session, entity, body) => switchRecord(tx, session, entity, 'enable', body))
    post('disable', (tx, session, entity, body) => switchRecord(tx, session, entity, 'disable', body))
  }
  // An action of the same name in a definition does not replace enable and disable.
  for (const action of Object.keys(definition.actions ?? {}).filter(name => !switches.has(name)))
    post(action, (tx, session, entity, body) => actOnRecord(tx, session, entity, action, body))
}

/** One-time notices are added after the reply was kept for repetition, so they are not stored. */
async function withNotices(
  sql: Sql,
  request: FastifyRequest,
  definition: AnyEntity,
  call: string,
  reply: Envelope,
): Promise<Envelope> {
  const { resultOf } = rulesOf(definition.kind)
  const { sn } = reply.info as Written
  if (!resultOf || call === 'del') return reply
  const row = await reading(sql, request, (tx, session) => findRecord(tx, session, definition, sn))
  const notified = resultOf(sessionOf(request), call, row)
  return notified === null ? reply : { ...reply, info: { ...(reply.info as Written), result: notified } }
}

/** The write stays, and what follows from it is kept: a job repeats what fails here. */
export async function followUp(sql: Sql, request: FastifyRequest, { kind }: AnyEntity, sn: string): Promise<void> {
  try {
    await deliverRecord(sql, sessionOf(request).org.id, kind, sn)
  } catch (error) {
    request.log.error({ err: error }, 'record outbox')
  }
}
