import type { FastifyInstance } from 'fastify'
import { menuTree } from '#server/engine/menu-tree.ts'
import { may } from '#server/engine/session.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { done } from '#server/wire/envelope.ts'

/** The caller's menu; what it shows is what the roles grant. `?all=1`: the tree from which roles are made. */
export function addMenu(app: FastifyInstance): void {
  app.get<{ Querystring: { all?: string } }>(
    '/v1/user/get_user_menu/yrtweb',
    { config: { access: 'session' } },
    async request => {
      const session = sessionOf(request)
      const list = menuTree(session.org.type, request.query.all === '1' ? () => true : flag => may(session, flag))
      return done({ list, total: list.length })
    },
  )
}
