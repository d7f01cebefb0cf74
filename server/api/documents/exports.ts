import type { FastifyInstance } from 'fastify'
import { BusinessError } from '#kernel/rules/errors.ts'
import { derived, documents, entities, reports } from '#kernel/registry.ts'
import { exportDocuments } from '#server/documents/list/export.ts'
import type { ListExport } from '#server/exports/export-stream.ts'
import { beginExport, type ExportFinder, exportState, settleExports } from '#server/exports/jobs.ts'
import type { FileStore } from '#server/files/store.ts'
import { COUNT_LIMIT } from '#server/lists/query.ts'
import { exportRecords } from '#server/records/export.ts'
import { exportReport } from '#server/reports/report.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { narrowedBy } from '#server/access/campus.ts'
import { parseQuery } from '#server/plugins/bodies.ts'
import type { Database } from '#server/plugins/database.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { bodyOf, reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'
import { asks } from '#server/api/request/query-names.ts'

type Query = Readonly<Record<string, unknown>>
type Maker = (session: Session, query: Query) => ListExport

/** Every list that can be exported, by the address of its export. */
const makers = derived(
  (): ReadonlyMap<string, Maker> =>
    new Map([
      ...documents().map(
        one =>
          [
            `/v1/business/${one.kind}/export`,
            ((session, query) => exportDocuments(session, one, query)) as Maker,
          ] as const,
      ),
      ...entities().map(
        one =>
          [
            `/v1/business/${one.kind}/export`,
            ((session, query) => exportRecords(session, one, query)) as Maker,
          ] as const,
      ),
      ...reports().map(
        one =>
          [`/v1/report/${one.kind}/export`, ((session, query) => exportReport(session, one, query)) as Maker] as const,
      ),
    ]),
)

/** The list for an export's address, for work that is restarted without a call. */
export const findExport: ExportFinder = (session, path, query) => makers().get(path)?.(session, query) ?? null

/**
 * The check before a download: the user must be signed in and permitted; otherwise the page shows why not. A short
 * list is then fetched from its own address; a long one is exported in the background and arrives in the message
 * centre.
 */
export function addExports(
  app: FastifyInstance,
  { app: sql, slow, exports }: Pick<Database, 'app' | 'slow' | 'exports'>,
  store: FileStore,
  longRows: number,
): void {
  app.post('/v1/export', async request => {
    const session = sessionOf(request)
    const address = String(bodyOf(request, ['address']).address ?? '')
    const [path = '', search = ''] = address.split('?')
    const asked = parseQuery(search)
    const make = makers().get(path)
    // Lists of another shape have exports of their own, always fetched from there.
    if (!make && /^\/v1\/[\w/]{1,80}\/export$/.test(path)) return done({ info: { address } })
    if (!make) throw new BusinessError('invalid', '没有这个导出')
    const narrowed = await narrowedBy(slow, session, asked)
    const carried = { ...make(narrowed.session, narrowed.query), query: asked }
    const total = await inOrganisation(slow, session.org.id, session.userId, tx => carried.count(tx))
    if (total < longRows) return done({ info: { address } })
    const known = total < COUNT_LIMIT - 1 ? total : null
    return done({ info: { job: await beginExport(exports, store, session, carried, known), rows_total: known } })
  })
  app.get<{ Querystring: { sn?: unknown } }>('/v1/export/info', asks('sn'), request =>
    reading(sql, request, async (tx, session) => {
      const sn = String(request.query.sn ?? '')
      const state = /^\d{1,18}$/.test(sn) ? await exportState(tx, session, sn) : null
      if (!state) throw new BusinessError('notFound', '导出任务不存在')
      return done({ info: state })
    }),
  )
  app.addHook('onClose', settleExports)
}
