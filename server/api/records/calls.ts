import { withKeptNames } from '#server/records/kept-names.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import { type AnyEntity, nothingTicked, type RecordCall } from '#kernel/definition/entity.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { entities, sheetOf } from '#kernel/registry.ts'
import { templatesFor, trialTemplate } from '#server/documents/print/templates.ts'
import { logOperation } from '#server/audit/operation-log.ts'
import { nameOn } from '#server/organisations/organisations.ts'
import { missingFields, referenceProblems } from '#server/records/checks.ts'
import { mustActThere } from '#server/records/places.ts'
import { readerOf } from '#server/records/platform.ts'
import { findRecord } from '#server/records/read.ts'
import { mustMayRead } from '#server/records/reading-rights.ts'
import type { CallContext, ListActionHandler, RecordRow, RemoteAction } from '#server/records/hooks.ts'
import { tickedRows } from '#server/records/ticked-rows.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { parseList, refuseOtherNames } from '#server/access/untrusted-input.ts'
import { requirePermission, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { today } from '#kernel/values/date.ts'
import { bodyOf, changing, declaredBodyOf, reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'
import { asks } from '#server/api/request/query-names.ts'

const MOST_ROWS = 500
/** Names by which a page reports a sheet that it sent to a printer. */
const PRINTED = ['sn', 'of_org_sn', 'role', 'source_org_sn', 'sheet', 'template', 'revision', 'copy', 'reason']
const pathOf = ({ kind }: AnyEntity, call: string) => `/v1/business/${kind}/${call}`

/** Actions above record lists, and the sheets on which single records are printed. */
export function addRecordCalls(app: FastifyInstance, sql: Sql): void {
  for (const definition of entities()) {
    for (const [name, spec] of Object.entries(definition.calls ?? {})) {
      const { calls, remoteCalls } = rulesOf(definition.kind)
      const action = calls?.[name] ?? remoteCalls?.[name]
      if (!action) throw new Error(`nobody does ${definition.kind}.${name}`)
      app.post(pathOf(definition, name), request => runCall(sql, request, { definition, name, spec, handler: action }))
    }
    if (sheetOf(definition.kind)) addPrint(app, sql, definition)
  }
}

type Asked = {
  readonly definition: AnyEntity
  readonly name: string
  readonly spec: RecordCall
  readonly handler: ListActionHandler | RemoteAction
}

/** Another system is asked once its caller may ask it, and before anything of ours is held. */
async function runCall(sql: Sql, request: FastifyRequest, of: Asked) {
  const { handler } = of
  const body = declaredBodyOf(request)
  if (typeof handler === 'function') return changing(sql, request, writing(of, body, handler))
  const ask = await reading(sql, request, async (tx, session) => handler.asks(await given(tx, session, of, body)))
  const answer = await ask()
  return changing(
    sql,
    request,
    writing(of, body, ctx => handler.writes(answer, ctx)),
  )
}

/** The input of a call, once it is clear that the caller may make it. */
async function given(
  tx: Tx,
  session: Session,
  { definition, name, spec }: Asked,
  body: RecordRow,
): Promise<CallContext> {
  const orgs = spec.orgs ?? definition.writers ?? definition.screens.map(screen => screen.orgs).join('')
  if (!orgs.includes(session.org.type)) throw new BusinessError('forbidden')
  requirePermission(session, `${definition.kind}.${name}`)
  const { sns, ...rest } = body
  const keys = spec.rows ? keysOf(sns, spec.rows) : []
  if (spec.most !== undefined && keys.length > spec.most)
    throw new BusinessError('rule', `${spec.label}一次最多${spec.most}行，请减少勾选`)
  const answers = spec.rows ? rest : body
  refuseOtherNames(answers, Object.keys(spec.asks))
  const rows = await tickedRows(tx, session, definition, keys, spec.locks === true)
  const asked = await answersOf(tx, session, spec, answers)
  return { tx, session, asked, rows, ids: keys }
}

/** The answers to the questions of a call's dialog. A missing or wrong answer is refused. */
export async function answersOf(tx: Tx, session: Session, { asks }: RecordCall, body: RecordRow): Promise<RecordRow> {
  const { values, problems } = parseFields(asks, body)
  if (problems.length > 0) throw new BusinessError('invalid', problems[0]!.msg, problems)
  const wrong = [
    ...missingFields({ fields: asks }, values),
    ...(await referenceProblems(tx, session, { fields: asks }, values)),
  ]
  if (wrong.length > 0) throw new BusinessError('invalid', undefined, wrong)
  await mustActThere(tx, session, { fields: asks }, values)
  return withKeptNames(tx, session.org.id, asks, values)
}

const writing = (of: Asked, body: RecordRow, action: ListActionHandler) => async (tx: Tx, session: Session) => {
  const ctx = await given(tx, session, of, body)
  const info = await action(ctx)
  const { asked: values, ids: keys } = ctx
  await logOperation(tx, session, {
    subject: of.definition.kind,
    action: of.name,
    actionName: of.spec.label,
    key: keys.length === 1 ? keys[0]! : null,
    after: { ...values, ...(keys.length > 0 ? { keys } : {}) },
    summary: info.said,
  })
  return done({ info })
}

/** The keys of the ticked rows: a list, or its JSON text. */
export function keysOf(given: unknown, rows: RecordCall['rows']): readonly string[] {
  const list = parseList(given)
  if (list === null || list.length === 0) throw new BusinessError('invalid', nothingTicked(rows))
  if (list.length > MOST_ROWS) throw new BusinessError('invalid', `一次最多处理${MOST_ROWS}行，请减少勾选`)
  if (list.some(key => typeof key !== 'string' || key.length > 200))
    throw new BusinessError('invalid', nothingTicked(rows))
  const keys = [...new Set(list as string[])]
  if (rows === 'one' && keys.length > 1) throw new BusinessError('invalid', nothingTicked(rows))
  return keys
}

/**
 * `print`: the row as its sheet shows it. `printed`: it was sent to a printer; such sheets are not documents, and
 * copies are not counted.
 */
function addPrint(app: FastifyInstance, sql: Sql, definition: AnyEntity): void {
  // The platform prints records of other organisations that it may view.
  const rowOf = async (tx: Tx, session: Session, { sn, of_org_sn }: RecordRow) => {
    mustMayRead(session, definition)
    requirePermission(session, `${definition.kind}.print`)
    const reader = await readerOf(tx, session, definition, of_org_sn)
    return { reader, row: await findRecord(tx, reader, definition, sn) }
  }
  app.get<{ Querystring: { sn?: unknown; of_org_sn?: unknown; trial?: unknown; template?: unknown } }>(
    pathOf(definition, 'print'),
    asks('sn', 'of_org_sn', 'trial', 'template'),
    request =>
      reading(sql, request, async (tx, session) => {
        const { reader, row } = await rowOf(tx, session, request.query)
        const shown = (await rulesOf(definition.kind).print?.(tx, reader, row)) ?? row
        return done({
          info: {
            title: definition.title,
            org_name: await nameOn(tx, reader.org.id, today()),
            ...shown,
            times_printed: 0,
            templates: await templatesFor(
              tx,
              reader,
              sheetOf(definition.kind)!.route,
              row,
              trialTemplate(request.query),
            ),
            printed_at: new Date().toISOString(),
            printed_by: session.userName,
          },
        })
      }),
  )
  app.post(pathOf(definition, 'printed'), (request: FastifyRequest) =>
    changing(sql, request, async (tx, session) => {
      requirePermission(session, `${definition.kind}.print`)
      await rowOf(tx, session, bodyOf(request, PRINTED))
      return done({ info: { times: 1 } })
    }),
  )
}
