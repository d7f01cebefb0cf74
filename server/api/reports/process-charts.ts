import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { hooks } from '#server/registry/hooks.ts'
import { tools } from '#kernel/registry.ts'
import { processChart } from '#server/reports/process-chart.ts'
import { requirePermission } from '#server/access/session.ts'
import { reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'
import { asks } from '#server/api/request/query-names.ts'

type Asked = { Params: { name: string }; Querystring: Readonly<Record<string, unknown>> }

/** The process charts, for users who have their page. */
export function addFlows(app: FastifyInstance, sql: Sql): void {
  app.get<Asked>('/v1/business/flow/:name', asks('begin_date', 'end_date', 'partner', { mine: ['0', '1'] }), request =>
    reading(sql, request, async (tx, session) => {
      const rules = hooks().processCharts.find(each => each.flow.name === request.params.name)
      const screen = tools().find(each => each.page === `${request.params.name}Flow`)
      if (!rules || !screen) throw new BusinessError('notFound', '没有这个导航')
      if (!screen.orgs.includes(session.org.type)) throw new BusinessError('forbidden')
      requirePermission(session, `page:${screen.route}`)
      return done({ info: await processChart(tx, session, rules, request.query) })
    }),
  )
}
