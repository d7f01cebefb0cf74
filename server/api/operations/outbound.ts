import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { derived, entities } from '#kernel/registry.ts'
import { callFigures, makeCallsDue, MOST_CALLS } from '#server/outbound/overview.ts'
import { performOutbound } from '#server/outbound/calls.ts'
import { requirePermission } from '#server/access/session.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { bodyOf, changing, reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'

/** The list of failed calls; its flags guard these calls as well. */
const list = derived(() => entities().find(({ table }) => table === 'outbound_call')!)
const path = (call: string) => `/v1/business/${list().kind}/${call}`

/** Today's calls to other systems, and resending many of them. */
export function addOutbound(app: FastifyInstance, sql: Sql): void {
  app.get(path('cards'), request =>
    reading(sql, request, async (tx, session) => {
      requirePermission(session, `page:${list().screens[0]!.route}`)
      return done({ info: await callFigures(tx, session.org.id) })
    }),
  )

  app.post(path('batchRetry'), async request => {
    const due = await changing(sql, request, async (tx, session) => {
      requirePermission(session, `${list().kind}.retry`)
      return done({ info: { sns: await makeCallsDue(tx, session.org.id, readKeys(bodyOf(request, ['items']).items)) } })
    })
    const session = sessionOf(request)
    const results = []
    for (const sn of (due.info as { sns: string[] }).sns)
      results.push({ sn, ok: await performOutbound(sql, session.org.id, sn, session.userName) })
    return done({ info: { sent: results.length, succeeded: results.filter(({ ok }) => ok).length }, list: results })
  })
}

/** The ticked rows; none means all that wait for a user. */
function readKeys(items: unknown): readonly string[] | null {
  if (items === undefined || items === '') return null
  const keys = typeof items === 'string' ? items.split(',') : items
  const right = Array.isArray(keys) && keys.length <= MOST_CALLS && keys.every(key => /^\d{1,18}$/.test(String(key)))
  if (!right) throw new BusinessError('invalid', `请给出要重发的消息，一次最多${MOST_CALLS}条`)
  return keys.map(String)
}
