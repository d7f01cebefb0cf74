import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import type { AnyReport, CallOnRows } from '#kernel/definition/report.ts'
import { reports } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { logOperation } from '#server/audit/operation-log.ts'
import { namedRows } from '#server/reports/report.ts'
import type { ReportCall } from '#server/reports/report-rules.ts'
import { reportRulesOf } from '#server/registry/hooks.ts'
import { requirePageAccess, requirePermission, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { answersOf, keysOf } from '#server/api/records/calls.ts'
import { refuseOtherNames } from '#server/access/untrusted-input.ts'
import { declaredBodyOf, changing } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'

type Call = {
  readonly definition: AnyReport
  readonly name: string
  readonly spec: CallOnRows
  readonly run: ReportCall
}

/**
 * Calls on ticked rows of reports. Each row is read again under the parameters that the reader asked with; a call
 * without rows gets the answers to its dialog.
 */
export function addReportCalls(app: FastifyInstance, sql: Sql): void {
  for (const definition of reports())
    for (const [name, spec] of Object.entries(definition.calls ?? {})) {
      const run = reportRulesOf(definition.kind).calls?.[name]
      if (!run) throw new Error(`nobody does ${definition.kind}.${name}`)
      app.post(`/v1/report/${definition.kind}/${name}`, (request: FastifyRequest) =>
        changing(sql, request, (tx, session) =>
          runCall(tx, session, { definition, name, spec, run }, declaredBodyOf(request)),
        ),
      )
    }
}

async function runCall(tx: Tx, session: Session, call: Call, body: Readonly<Record<string, unknown>>) {
  const { definition, name, spec, run } = call
  const { kind, screens } = definition
  const orgs = spec.orgs ?? screens.map(screen => screen.orgs).join('')
  if (!orgs.includes(session.org.type)) throw new BusinessError('forbidden')
  requirePageAccess(session, definition)
  requirePermission(session, spec.right ?? `${kind}.${name}`)
  const { sns, query, ...asked } = body
  const keys = spec.rows ? keysOf(sns, spec.rows) : []
  refuseOtherNames(asked, Object.keys(spec.asks))
  const rows = spec.rows && (await namedRows(tx, session, definition, { query: parametersIn(query), keys }))
  const answers = await answersOf(tx, session, spec, asked)
  const info = await run({ tx, session, asked: answers, rows: rows || [] })
  await logOperation(tx, session, {
    subject: kind,
    action: name,
    actionName: spec.label,
    key: keys.length === 1 ? keys[0]! : null,
    after: { ...answers, keys },
    summary: info.said,
  })
  return done({ info })
}

/** The reader's parameters as the address of the page has them. */
function parametersIn(query: unknown): Readonly<Record<string, string>> {
  if (query !== undefined && typeof query !== 'string') throw new BusinessError('invalid', '查询条件有误，请刷新后重试')
  return Object.fromEntries(new URLSearchParams(query ?? ''))
}
