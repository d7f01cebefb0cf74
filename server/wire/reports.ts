import type { FastifyInstance } from 'fastify'
import { reports } from '#kernel/registry.ts'
import { sendCarryOut } from '#server/engine/exports/carry-out.ts'
import { reportCarriedOut, runReport } from '#server/engine/report.ts'
import type { Database } from '#server/plugins/database.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { reading } from '#server/wire/changing.ts'
import { done } from '#server/wire/envelope.ts'

/** Every figure table: rows of a page, totals over all rows, and the whole as a workbook. */
export function addReports(app: FastifyInstance, { slow, exports }: Pick<Database, 'slow' | 'exports'>): void {
  for (const definition of reports()) {
    app.get<{ Querystring: Record<string, unknown> }>(`/v1/report/${definition.kind}`, request =>
      reading(slow, request, async (tx, session) => done(await runReport(tx, session, definition, request.query))),
    )
    app.get<{ Querystring: Record<string, unknown> }>(`/v1/report/${definition.kind}/export`, (request, reply) => {
      const session = sessionOf(request)
      return sendCarryOut(exports, session, reportCarriedOut(session, definition, request.query), reply)
    })
  }
}
