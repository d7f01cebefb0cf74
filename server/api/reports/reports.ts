import type { FastifyInstance } from 'fastify'
import { reports } from '#kernel/registry.ts'
import { sendExport } from '#server/exports/export-stream.ts'
import { exportCross, runCross } from '#server/reports/cross-table.ts'
import { exportReport, runReport } from '#server/reports/report.ts'
import type { Database } from '#server/plugins/database.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'
import { asksAsDeclared } from '#server/api/request/query-names.ts'

const isCrossed = ({ across }: Record<string, unknown>): boolean => across !== undefined && across !== ''

/** Every report: the rows of a page, totals over all rows, and the whole as a workbook. */
export function addReports(app: FastifyInstance, { slow, exports }: Pick<Database, 'slow' | 'exports'>): void {
  for (const definition of reports()) {
    app.get<{ Querystring: Record<string, unknown> }>(`/v1/report/${definition.kind}`, asksAsDeclared, request =>
      reading(slow, request, async (tx, session) =>
        done(await (isCrossed(request.query) ? runCross : runReport)(tx, session, definition, request.query)),
      ),
    )
    app.get<{ Querystring: Record<string, unknown> }>(
      `/v1/report/${definition.kind}/export`,
      asksAsDeclared,
      async (request, reply) => {
        const session = sessionOf(request)
        // The columns of a cross table are known only when its rows are read.
        const exported = isCrossed(request.query)
          ? await reading(slow, request, tx => exportCross(tx, session, definition, request.query))
          : exportReport(session, definition, request.query)
        return sendExport(exports, session, exported, reply)
      },
    )
  }
}
