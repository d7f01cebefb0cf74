import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { done } from '#server/http/envelope.ts'
import { asks } from '#server/api/request/query-names.ts'
import { reading } from '#server/api/request/transaction.ts'
import { policyStates } from '#server/settings/policy-states.ts'
import { rulesFor } from '#server/menu/page-rules.ts'

/** 规则手册 of the caller's kind of organisation; 本页规则 where `route` names a page. */
export function addRulebook(app: FastifyInstance, sql: Sql): void {
  app.get<{ Querystring: { route?: unknown } }>('/v1/rulebook/list', asks('route'), request => {
    const { route } = request.query
    if (route !== undefined && typeof route !== 'string') throw new BusinessError('invalid', '页面地址有误')
    return reading(sql, request, async (tx, session) => {
      const states = await policyStates(tx, session.org.id)
      const list = rulesFor(session.org.type, route).map(({ id, chapter, text, policy }) => ({
        id,
        chapter,
        text,
        ...(policy === undefined ? {} : states.get(policy)),
      }))
      return done({ list, total: list.length })
    })
  })
}
