import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import { derived, entities } from '#kernel/registry.ts'
import { alarmMinutes, alarmRate } from '#server/engine/outbound/alarms.ts'
import { performOutbound } from '#server/engine/outbound/calls.ts'
import { mustBeAllowed } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { bodyOf, changing, reading } from '#server/wire/changing.ts'
import { done } from '#server/wire/envelope.ts'

const MOST = 200
/** The list of calls that failed; its flags guard these calls as well. */
const list = derived(() => entities().find(({ table }) => table === 'outbound_call')!)
const path = (call: string) => `/v1/business/${list().kind}/${call}`

/** What the calls to other systems did today, and sending many of them again. */
export function addOutbound(app: FastifyInstance, sql: Sql): void {
  app.get(path('cards'), request =>
    reading(sql, request, async (tx, session) => {
      mustBeAllowed(session, `page:${list().screens[0]!.route}`)
      return done({ info: await cardsOf(tx, session.org.id) })
    }),
  )

  app.post(path('batchRetry'), async request => {
    const due = await changing(sql, request, async (tx, session) => {
      mustBeAllowed(session, `${list().kind}.retry`)
      return done({ info: { sns: await makeDue(tx, session.org.id, readKeys(bodyOf(request).items)) } })
    })
    const session = sessionOf(request)
    const results = []
    for (const sn of (due.info as { sns: string[] }).sns)
      results.push({ sn, ok: await performOutbound(sql, session.org.id, sn, session.userName) })
    return done({ info: { sent: results.length, succeeded: results.filter(({ ok }) => ok).length }, list: results })
  })
}

/** The rows that were ticked; none: all that wait for a person. */
function readKeys(items: unknown): readonly string[] | null {
  if (items === undefined || items === '') return null
  const keys = typeof items === 'string' ? items.split(',') : items
  const right = Array.isArray(keys) && keys.length <= MOST && keys.every(key => /^\d{1,18}$/.test(String(key)))
  if (!right) throw new Refusal('invalid', `请给出要重发的消息，一次最多${MOST}条`)
  return keys.map(String)
}

const makeDue = async (tx: Tx, org: string, keys: readonly string[] | null): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    update outbound_call set state = 'retrying', next_at = now()
     where org_id = ${org} and payload is not null and (expires_at is null or expires_at > now())
       and ${keys === null ? tx`state = 'waiting'` : tx`state in ('waiting', 'retrying') and id = any(${[...keys]}::bigint[])`}
       and id in (select id from outbound_call where org_id = ${org} and state in ('waiting', 'retrying') and failed_at is not null order by id limit ${MOST})
    returning id`
  if (rows.length === 0) throw new Refusal('rule', '没有可以重新发送的消息')
  return rows.map(row => row.id)
}

async function cardsOf(tx: Tx, org: string): Promise<object> {
  const [row] = await tx<
    {
      calls: number
      failures: number
      recent: number
      recent_failures: number
      slowest: string | null
      slowest_ms: number | null
      open: number
      oldest_open: string | null
    }[]
  >`
    select (count(*) filter (where a.at >= ${today()}::date::timestamp at time zone 'Asia/Shanghai'))::int as calls,
           (count(*) filter (where not a.is_ok and a.at >= ${today()}::date::timestamp at time zone 'Asia/Shanghai'))::int as failures,
           (count(*) filter (where a.at > now() - make_interval(mins => ${alarmMinutes})))::int as recent,
           (count(*) filter (where not a.is_ok and a.at > now() - make_interval(mins => ${alarmMinutes})))::int as recent_failures,
           (array_agg(c.name order by a.took_ms desc))[1] as slowest, max(a.took_ms) as slowest_ms,
           (select count(*)::int from outbound_call x where x.org_id = ${org} and x.failed_at is not null and x.state in ('waiting', 'retrying')) as open,
           (select min(x.at) from outbound_call x where x.org_id = ${org} and x.failed_at is not null and x.state in ('waiting', 'retrying')) as oldest_open
      from outbound_attempt a join outbound_call c on c.org_id = a.org_id and c.id = a.outbound_call_id
     where a.org_id = ${org} and a.at > now() - interval '1 day'`
  const rate = row && row.calls > 0 ? row.failures / row.calls : 0
  return {
    ...row,
    failure_rate: rate.toFixed(4),
    is_red: row !== undefined && row.recent_failures > row.recent * alarmRate,
  }
}
