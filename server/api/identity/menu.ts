import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { entrustingOrganisations } from '#server/identity/on-behalf.ts'
import { menuFor } from '#server/menu/stored-menu.ts'
import { dataPermissions, extraFlags, menuTree } from '#server/menu/menu.ts'
import { may } from '#server/access/session.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'
import { asks } from '#server/api/request/query-names.ts'

type Query = { all?: string; type?: string }

/**
 * The caller's menu as the platform arranged it, limited to what the roles grant. `?all=1`: the tree used to define
 * roles, as far as the organisation may have it; the platform names another organisation type by `type`.
 */
export function addMenu(app: FastifyInstance, sql: Sql): void {
  // For the platform's users: in whose name they may work today.
  app.get('/v1/user/entrusting', request =>
    reading(sql, request, async (tx, session) => {
      if (session.org.type !== 'P') throw new BusinessError('forbidden')
      const list = await entrustingOrganisations(tx)
      return done({ list, total: list.length })
    }),
  )
  const asked = asks({ all: ['0', '1'], type: ['P', 'H', 'D', 'V'] })
  app.get<{ Querystring: Query }>('/v1/user/get_user_menu/yrtweb', asked, async request => {
    const session = sessionOf(request)
    const mine = (flag: string) => may(session, flag)
    const rights = Object.keys(extraFlags).filter(mine)
    if (request.query.all !== '1')
      return reading(sql, request, async tx => {
        const list = await menuFor(tx, session.org.type, session.org.id, mine)
        return done({ list, total: list.length, info: { rights } })
      })
    const type = (request.query.type || session.org.type) as OrgType
    if (session.org.type !== 'P' && type !== session.org.type) throw new BusinessError('forbidden')
    // A user whose rights come only from roles still sees the organisation's whole tree; granting rights that the
    // user may not give is refused on saving.
    const list = [...menuTree(type, () => true), dataPermissions(() => true)]
    return done({ list, total: list.length, info: { rights } })
  })
}
