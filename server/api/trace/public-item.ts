import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { publishedGoods } from '#server/traceability/published.ts'
import { done } from '#server/http/envelope.ts'
import { openFor } from '#server/api/request/query-names.ts'

/**
 * The public data of the goods behind the GS1 Digital Link of a label (`link`: its path and query). Signed-in users may
 * go on to the trace.
 */
export function addGoodsPage(app: FastifyInstance, sql: Sql): void {
  app.get<{ Querystring: { link?: unknown } }>('/v1/public/goods', openFor('link'), async request => {
    const info = await publishedGoods(sql, String(request.query.link ?? ''), request.ip)
    return done({ info: { ...info, signed_in: request.signedIn !== null } })
  })
}
