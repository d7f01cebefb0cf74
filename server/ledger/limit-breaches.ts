import type { Sql } from 'postgres'
import { type CheckRow, MAX_ROWS } from '#server/ledger/check/finding.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A shortage that lasts no longer than this is not abnormal. */
const PATIENCE = '24 hours'

/**
 * Follows the goods in the wards' stores of all organisations through each sealed month, in order, and records when
 * they were beyond their limits. A recorded month stays as it is, even if a requisition changes afterwards. Several
 * processes may call it at once. Runs as the owner of the tables.
 */
export async function followLimits(owner: Sql): Promise<void> {
  while (await owner.begin(followNext));
}

/** The organisations whose stores have limits, or had them. */
const limitedOrgs = (tx: Tx) => tx`select org_id from warehouse_product union select org_id from past_limit`

/** Follows the next month; false where there is none, or another process follows it. */
async function followNext(tx: Tx): Promise<boolean> {
  const [next] = await tx<{ month: string }[]>`
    select month from month_sealed where not has_breaches order by month limit 1 for update`
  if (!next) return false
  const orgs = await tx<{ org_id: string }[]>`${limitedOrgs(tx)}`
  for (const { org_id } of orgs) await follow(tx, org_id, next.month)
  await tx`update month_sealed set has_breaches = true where month = ${next.month}`
  return true
}

/**
 * Follows one month. A breach that lasted when the month before was followed goes on if it is still there at the
 * beginning of this one; else it ended then.
 */
async function follow(tx: Tx, org: string, month: string): Promise<void> {
  await tx`
    with before as (
      select max(month) as month from month_sealed where month < ${month}::date),
    found as materialized (
      select x.*, month_start(b.month) as from_at
        from before b cross join lateral limit_breaches(${org}::bigint, b.month, month_start(${month}::date), null) x),
    lasting as materialized (
      select * from limit_breach where org_id = ${org} and ended_at is null),
    ended as (
      update limit_breach k set ended_at = case when f.begun_at is null then month_start(b.month) else f.ended_at end
        from before b cross join lasting l
        left join found f on f.begun_at = f.from_at
         and (f.warehouse_id, f.specification_id, f.side) = (l.warehouse_id, l.specification_id, l.side)
       where k.org_id = ${org} and k.ended_at is null
         and (k.warehouse_id, k.specification_id, k.side) = (l.warehouse_id, l.specification_id, l.side))
    insert into limit_breach (org_id, warehouse_id, specification_id, side, begun_at, ended_at, on_hand, coming)
    select ${org}::bigint, f.warehouse_id, f.specification_id, f.side, f.begun_at, f.ended_at, f.on_hand, f.coming
      from found f
      left join lasting l on f.begun_at = f.from_at
       and (f.warehouse_id, f.specification_id, f.side) = (l.warehouse_id, l.specification_id, l.side)
     where l.org_id is null`
  await tx`
    delete from limit_breach
     where org_id = ${org} and side = 'low' and ended_at <= begun_at + ${PATIENCE}::interval`
}

/**
 * Compares breaches with the stock moves: quantities above the limit, and shortages of goods that nobody ever asked
 * for. Other shortages depend on requisitions, which may have changed since. Mapped sizes count together with others
 * only since they were mapped, and are not compared.
 */
export const limitBreaches = (tx: Tx) => tx<CheckRow[]>`
  with followed as (
    select max(month) as month from month_sealed where has_breaches),
  asked as (
    select o.org_id, x.warehouse_id, x.specification_id, x.side, x.begun_at, x.ended_at,
           x.on_hand::numeric(18,3) as on_hand, x.coming::numeric(18,3) as coming
      from followed f
      cross join (${limitedOrgs(tx)}) o
      cross join lateral limit_breaches(o.org_id, null, month_start(f.month), null) x
     where f.month is not null
       and (x.side = 'over' or x.ended_at is null or x.ended_at > x.begun_at + ${PATIENCE}::interval)),
  compared as (
    select coalesce(a.org_id, k.org_id) as org_id, coalesce(a.warehouse_id, k.warehouse_id) as warehouse_id,
           coalesce(a.specification_id, k.specification_id) as specification_id, coalesce(a.side, k.side) as side,
           coalesce(a.begun_at, k.begun_at) as begun_at,
           coalesce(concat_ws(' ', a.ended_at, a.on_hand, a.coming), '无') as expected,
           coalesce(concat_ws(' ', k.ended_at, k.on_hand, k.coming), '无') as found
      from asked a
      full join limit_breach k using (org_id, warehouse_id, specification_id, side, begun_at))
  select c.org_id as org, concat_ws('/', c.warehouse_id, c.specification_id, c.side, c.begun_at) as key, c.expected,
         c.found
    from compared c
   where c.expected <> c.found
     and not exists (select 1 from specification s
       where s.id = c.specification_id and s.mapped_to_id is not null or s.mapped_to_id = c.specification_id)
     and (c.side = 'over' or not was_asked_for(c.org_id, c.warehouse_id, c.specification_id))
   order by 1, 2 limit ${MAX_ROWS}`
