import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { alarmMinutes, alarmRate } from '#server/outbound/alarms.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Most calls that are sent again at once. */
export const MOST_CALLS = 200

/** Makes failed calls due at once: those that were named, else all that wait for a person. */
export const makeCallsDue = async (tx: Tx, org: string, keys: readonly string[] | null): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    update outbound_call set state = 'retrying', next_at = now()
     where org_id = ${org} and payload is not null and (expires_at is null or expires_at > now())
       and ${
         keys === null
           ? tx`state = 'waiting'`
           : tx`state in ('waiting', 'retrying')
         and id = any(${[...keys]}::bigint[])`
       }
       and id in (select id from outbound_call where org_id = ${org} and state in ('waiting', 'retrying')
         and failed_at is not null order by id limit ${MOST_CALLS})
    returning id`
  if (rows.length === 0) throw new BusinessError('rule', '没有可以重新发送的消息')
  return rows.map(row => row.id)
}

/** Figures of an organisation's calls in the last day. */
export async function callFigures(tx: Tx, org: string): Promise<object> {
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
           (count(*) filter (where not a.is_ok
             and a.at >= ${today()}::date::timestamp at time zone 'Asia/Shanghai'))::int as failures,
           (count(*) filter (where a.at > now() - make_interval(mins => ${alarmMinutes})))::int as recent,
           (count(*) filter (where not a.is_ok
             and a.at > now() - make_interval(mins => ${alarmMinutes})))::int as recent_failures,
           (array_agg(c.name order by a.took_ms desc))[1] as slowest, max(a.took_ms) as slowest_ms,
           (select count(*)::int from outbound_call x where x.org_id = ${org} and x.failed_at is not null
             and x.state in ('waiting', 'retrying')) as open,
           (select min(x.at) from outbound_call x where x.org_id = ${org} and x.failed_at is not null
             and x.state in ('waiting', 'retrying')) as oldest_open
      from outbound_attempt a join outbound_call c on c.org_id = a.org_id and c.id = a.outbound_call_id
     where a.org_id = ${org} and a.at > now() - interval '1 day'`
  const rate = row && row.calls > 0 ? row.failures / row.calls : 0
  return {
    ...row,
    failure_rate: rate.toFixed(4),
    is_red: row !== undefined && row.recent_failures > row.recent * alarmRate,
  }
}
