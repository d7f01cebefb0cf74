import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { readCode, trace } from '#server/traceability/trace.ts'
import { bodyOf, reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'
import { asks } from '#server/api/request/query-names.ts'

const longest = 2000

/**
 * The scan: what a code says, and the whole chain behind it. Open to every organisation; the chain decides what each
 * one sees.
 */
export function addTrace(app: FastifyInstance, sql: Sql): void {
  const asked = asks('code', { direction: ['chain', 'forward'] })
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>('/v1/trace', asked, request =>
    reading(sql, request, async (tx, session) => {
      const { code, direction } = request.query
      return done(await trace(tx, session, codeOf(code), typeof direction === 'string' ? direction : ''))
    }),
  )
  app.post('/v1/code/parse', request =>
    reading(sql, request, async (tx, session) => {
      const { code, trial } = bodyOf(request, ['code', 'trial'])
      return done({ info: await readCode(tx, session, codeOf(code), trial === true || trial === 'true') })
    }),
  )
}

function codeOf(raw: unknown): string {
  if (typeof raw !== 'string' || raw.trim() === '')
    throw new BusinessError('invalid', undefined, [{ field: 'code', msg: '请扫描或输入条码、批号、单号' }])
  if (raw.length > longest)
    throw new BusinessError('invalid', undefined, [{ field: 'code', msg: '条码过长，请核对后重新扫描' }])
  return raw
}
