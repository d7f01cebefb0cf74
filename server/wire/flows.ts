import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { Refusal } from '#kernel/refusal.ts'
import { hooks } from '#server/registry/hooks.ts'
import { tools } from '#kernel/registry.ts'
import { readFlow } from '#server/engine/flow.ts'
import { mustBeAllowed } from '#server/engine/session.ts'
import { reading } from '#server/wire/changing.ts'
import { done } from '#server/wire/envelope.ts'

type Asked = { Params: { name: string }; Querystring: Readonly<Record<string, unknown>> }

/** The charts of processes, for whoever has their page. */
export function addFlows(app: FastifyInstance, sql: Sql): void {
  app.get<Asked>('/v1/business/flow/:name', request =>
    reading(sql, request, async (tx, session) => {
      const rules = hooks().processCharts.find(each => each.flow.name === request.params.name)
      const screen = tools().find(each => each.page === `${request.params.name}Flow`)
      if (!rules || !screen) throw new Refusal('notFound', '没有这个导航')
      if (!screen.orgs.includes(session.org.type)) throw new Refusal('forbidden')
      mustBeAllowed(session, `page:${screen.route}`)
      return done({ info: await readFlow(tx, session, rules, request.query) })
    }),
  )
}
