import type { FastifyInstance } from 'fastify'
import { reports } from '#kernel/registry.ts'
import { sendExport } from '#server/exports/export-stream.ts'
import { exportReport, runReport } from '#server/reports/report.ts'
import type { Database } from '#server/plugins/database.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { reading } from '#server/api/request/transaction.ts'
import { done } from '#server/api/reply/envelope.ts'

/** Every report: the rows of a page, totals over all rows, and the whole as a workbook. */
export function addReports(app: FastifyInstance, { slow, exports }: Pick<Database, 'slow' | 'exports'>): void {
  for (const definition of reports()) {
    app.get<{ Querystring: Record<string, unknown> }>(`/v1/report/${definition.kind}`, request =>
      reading(slow, request, async (tx, session) => done(await runReport(tx, session, definition, request.query))),
    )
    app.get<{ Querystring: Record<string, unknown> }>(`/v1/report/${definition.kind}/export`, (request, reply) => {
      const session = sessionOf(request)
      return sendExport(exports, session, exportReport(session, definition, request.query), reply)
    })
  }
}
