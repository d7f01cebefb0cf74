import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import type { AnyEntity } from '#kernel/entity.ts'
import { Refusal } from '#kernel/refusal.ts'
import { entities } from '#kernel/registry.ts'
import { sendCarryOut } from '#server/engine/exports/carry-out.ts'
import { recordsCarriedOut } from '#server/engine/records/export.ts'
import { readerOf } from '#server/engine/records/platform.ts'
import { findRecord, keeperOf, listRecords, mustMayRead } from '#server/engine/records/read.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { hasSwitch, rowActions } from '#server/engine/records/row-actions.ts'
import {
  actOnRecord,
  addRecord,
  deleteRecord,
  editRecord,
  switchRecord,
  type Written,
} from '#server/engine/records/write.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'
import type { Database } from '#server/plugins/database.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { bodyOf, changing, reading } from '#server/wire/changing.ts'
import { done, type Envelope } from '#server/wire/envelope.ts'

/** Every call of every record definition. */
export function addRecords(app: FastifyInstance, { app: sql, exports }: Pick<Database, 'app' | 'exports'>): void {
  for (const definition of entities()) {
    addReading(app, sql, definition)
    addExport(app, exports, definition)
    if (!definition.readOnly) addWriting(app, sql, definition)
  }
}

const pathOf = (definition: AnyEntity, call: string) => `/v1/business/${definition.kind}/${call}`
type Query = Readonly<Record<string, unknown>>

function addReading(app: FastifyInstance, sql: Sql, definition: AnyEntity): void {
  app.get<{ Querystring: Query }>(pathOf(definition, 'list'), request =>
    reading(sql, request, async (tx, session) => done(await listRecords(tx, session, definition, request.query))),
  )

  app.get<{ Querystring: Query }>(pathOf(definition, 'info'), request =>
    reading(sql, request, async (tx, session) => {
      mustMayRead(session, definition)
      const { sn, [definition.key]: key, of_org_sn: chosen, ...unknown } = request.query
      const [name] = Object.keys(unknown)
      if (name !== undefined) throw new Refusal('invalid', `没有“${name.slice(0, 64)}”这个查询条件`)
      const reader = await readerOf(tx, session, definition, chosen)
      const row = await findRecord(tx, reader, definition, sn ?? key)
      const actions = reader === session ? rowActions(session, definition, row) : []
      const keeper = await keeperOf(tx, reader, definition)
      return done({ info: definition.key in keeper ? { ...keeper, ...row, actions } : { ...row, ...keeper, actions } })
    }),
  )
}

function addExport(app: FastifyInstance, sql: Sql, definition: AnyEntity): void {
  app.get<{ Querystring: Query }>(pathOf(definition, 'export'), (request, reply) => {
    const session = sessionOf(request)
    return sendCarryOut(sql, session, recordsCarriedOut(session, definition, request.query), reply)
  })
}

const switches: ReadonlySet<string> = new Set(['enable', 'disable'])
type Write = (tx: Tx, session: Session, definition: AnyEntity, body: Query) => Promise<Written>

function addWriting(app: FastifyInstance, sql: Sql, definition: AnyEntity): void {
  const post = (call: string, write: Write) =>
    app.post(pathOf(definition, call), async request => {
      let fresh: string | null = null
      const reply = await changing(sql, request, async (tx, session) => {
        const written = await write(tx, session, definition, bodyOf(request))
        fresh = written.sn
        return done({ info: { ...written, [definition.key]: written.sn } })
      })
      if (fresh === null) return reply
      await tellAfterwards(sql, request, definition, call, fresh)
      return withTold(sql, request, definition, call, reply)
    })
  post('add', addRecord)
  post('edit', editRecord)
  post('del', deleteRecord)
  if (hasSwitch(definition)) {
    post('enable', (tx, session, entity, body) => switchRecord(tx, session, entity, 'enable', body))
    post('disable', (tx, session, entity, body) => switchRecord(tx, session, entity, 'disable', body))
  }
  // Where a definition says more of switching, it is still the switch.
  for (const action of Object.keys(definition.actions ?? {}).filter(name => !switches.has(name)))
    post(action, (tx, session, entity, body) => actOnRecord(tx, session, entity, action, body))
}

/** What an answer says once is added after the reply was kept for repetition: it is kept nowhere. */
async function withTold(
  sql: Sql,
  request: FastifyRequest,
  definition: AnyEntity,
  call: string,
  reply: Envelope,
): Promise<Envelope> {
  const { tells } = rulesOf(definition.kind)
  const { sn } = reply.info as Written
  if (!tells || call === 'del') return reply
  const row = await reading(sql, request, (tx, session) => findRecord(tx, session, definition, sn))
  const told = tells(sessionOf(request), call, row)
  return told === null ? reply : { ...reply, info: { ...(reply.info as Written), told } }
}

/** Tells whom it concerns. What was written stands; a message that fails is ours to look into. */
async function tellAfterwards(
  sql: Sql,
  request: FastifyRequest,
  definition: AnyEntity,
  call: string,
  sn: string,
): Promise<void> {
  const tell = rulesOf(definition.kind).afterwards
  if (!tell || call === 'del') return
  try {
    const row = await reading(sql, request, (tx, session) => findRecord(tx, session, definition, sn))
    await tell(sql, sessionOf(request), call, row)
  } catch (error) {
    request.log.error({ err: error }, 'afterwards')
  }
}
