import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { counterparts } from '#modules/hospital/charges/fees/his-spd-fee-detail.server.ts'
import { asks, done, reading } from '#server/public/routes.ts'
import { may, parseList } from '#server/public/session.ts'

const MOST_ROWS = 500

/** The other side of ticked differences, for users who may match by hand. */
export function addCounterparts(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.get<{ Querystring: { sns?: unknown } }>('/v1/business/hisSpdFeeDetail/counterparts', asks('sns'), request =>
    reading(sql, request, async (tx, session) => {
      if (session.org.type !== 'H' || !may(session, 'hisSpdFeeDetail.link')) throw new BusinessError('forbidden')
      const keys = parseList(request.query.sns)?.filter(key => typeof key === 'string' && /^\d{1,18}$/.test(key)) ?? []
      if (keys.length === 0 || keys.length > MOST_ROWS) throw new BusinessError('invalid', '请先勾选要匹配的行')
      return done({ info: await counterparts(tx, session, [...new Set(keys as string[])]) })
    }),
  )
}
