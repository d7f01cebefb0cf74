import { kindsOf } from '#kernel/measure/feeding.ts'
import type { Fragment } from '#server/public/records.ts'
import { settingsFor } from '#server/public/settings.ts'
import type { Tx } from '#server/public/database.ts'

/** True for kinds of document that use up goods, on patients and in departments. */
export const isUse = (kind: string): boolean => kindsOf('used').includes(kind)

/** The checks of a use in force; those of one that only waits for its review are `checksInAdvance`. */
export const checksOfUse = async (tx: Tx, org: string, use: string): Promise<readonly string[]> =>
  (
    await tx<{ id: string }[]>`
    select id from use_check where org_id = ${org} and use_document_id = ${use} and not in_advance order by id`
  ).map(row => row.id)

/** The checks of a use that was submitted and is charged before its review, as far as it was not taken back. */
export const checksInAdvance = async (tx: Tx, org: string, use: string): Promise<readonly string[]> =>
  (
    await tx<{ id: string }[]>`
    select id from use_check where org_id = ${org} and use_document_id = ${use} and in_advance and returned < quantity
     order by id`
  ).map(row => row.id)

/** The quantity of a check `c` that is to be charged, in units of the HIS: the use less what was taken back. */
export const dueSql = (tx: Tx): Fragment => tx`round((c.quantity - c.returned) * coalesce(c.factor, 1), 4)`

/** Bookings wait while a month is being closed, and closing waits for running bookings. */
export const lockMonths = (tx: Tx, org: string, why: 'booking' | 'closing') =>
  why === 'closing'
    ? tx`select pg_advisory_xact_lock(hashtextextended('charge_month', ${org}::bigint))`
    : tx`select pg_advisory_xact_lock_shared(hashtextextended('charge_month', ${org}::bigint))`

/** The month in which an event is booked that happens now, or happened on a day of a closed month. */
const monthOf = (tx: Tx, org: string, at: Fragment): Fragment => tx`
  greatest(date_trunc('month', ${at} at time zone 'Asia/Shanghai')::date,
    (select (max(x.month) + interval '1 month')::date from charge_month x where x.org_id = ${org}))`

/** Books uses and their reversals as events, in pieces of ours, once for each check. */
export async function noteEvents(
  tx: Tx,
  org: string,
  event: 'use' | 'back',
  rows: readonly { readonly id: string; readonly quantity: string; readonly at: string }[],
): Promise<void> {
  await lockMonths(tx, org, 'booking')
  await tx`
  insert into use_check_event (org_id, use_check_id, event, quantity, at, month)
  select ${org}, k.id, ${event}, k.quantity, k.at, ${monthOf(tx, org, tx`k.at`)}
    from jsonb_to_recordset(${tx.json(rows)}) as k(id bigint, quantity numeric, at timestamptz)
  returning id`
}

/**
 * Books the decisions about checks as events: the quantity decided now less the quantity booked before. A decision that
 * was taken back is booked with a minus, in the month in which that happened.
 */
export async function bookDecisions(tx: Tx, org: string, ids: readonly string[]): Promise<void> {
  await lockMonths(tx, org, 'booking')
  await tx`
  insert into use_check_event (org_id, use_check_id, event, quantity, at, month)
  select ${org}, c.id, e.event, d.decided - coalesce(b.booked, 0), posting_now(), ${monthOf(tx, org, tx`posting_now()`)}
    from use_check c
    cross join (values ('checked'), ('waived'), ('cost')) e(event)
    cross join lateral (select case when c.state = e.event then c.quantity - c.returned else 0 end as decided) d
    left join lateral (select sum(x.quantity) as booked from use_check_event x
      where x.org_id = c.org_id and x.use_check_id = c.id and x.event = e.event) b on true
   where c.org_id = ${org} and c.id = any(${ids as string[]}::bigint[]) and not c.in_advance
     and d.decided <> coalesce(b.booked, 0)`
}

/**
 * Sets the state of checks by the charges linked to them: equal 已核对, more 多计费, less after the window 漏计费, refunded 已退费.
 * A state that a person decided stays. Returns the checks that changed.
 */
export async function judgeChecks(tx: Tx, org: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const { charge_window_hours: hours } = await settingsFor(tx, org)
  const changed = await tx<{ id: string }[]>`
    update use_check c set state = k.state, charged_quantity = k.charged, charged_at = k.charged_at,
      version = c.version + 1
      from (
        select c.id, coalesce(l.charged, 0) as charged, l.charged_at,
               case when c.state in ('waived', 'cost') then c.state
                 when coalesce(l.charged, 0) = ${dueSql(tx)} then 'checked'
                 when coalesce(l.charged, 0) > ${dueSql(tx)} then 'over'
                 when l.refunded then 'refunded'
                 when c.used_at < posting_now() - make_interval(hours => ${hours}) then 'missed'
                 else 'waiting' end as state
          from use_check c
          left join lateral (
            select sum(l.quantity) as charged, max(h.charged_at) filter (where l.quantity > 0) as charged_at,
                   bool_or(h.refunded_quantity > 0) as refunded
              from charge_link l join his_charge_left h on h.org_id = l.org_id and h.id = l.his_charge_id
             where l.org_id = c.org_id and l.use_check_id = c.id) l on true
         where c.org_id = ${org} and c.id = any(${ids as string[]}::bigint[])) k
     where c.org_id = ${org} and c.id = k.id
       and (c.state, c.charged_quantity, c.charged_at) is distinct from (k.state, k.charged, k.charged_at)
    returning c.id`
  await bookDecisions(tx, org, ids)
  return changed.map(row => row.id)
}
