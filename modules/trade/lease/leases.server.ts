import { type Day, today } from '#kernel/values/date.ts'
import type { Tx } from '#server/public/database.ts'
import type { Fragment } from '#server/public/records.ts'

/** A contract that ends within this many days is 即将到期. */
export const ENDING_DAYS = 30

/** The state of a contract `c` on a day. */
export const contractState = (tx: Tx, day: Day = today()): Fragment => tx`
  case when c.stopped_on is not null then 'stopped'
    when c.valid_to < ${day}::date then 'ended'
    when c.status <> 'enabled' or c.valid_from > ${day}::date then 'waiting'
    when c.valid_to - ${day}::date <= ${ENDING_DAYS} then 'ending' else 'running' end`

/** The last day of a line `l` of a contract `c`: its own, else that of the contract, or the day it was stopped. */
export const lastDay = (tx: Tx): Fragment =>
  tx`least(coalesce(l.end_on, c.valid_to), coalesce(c.stopped_on, c.valid_to))`

/** Lease lines `l` of contracts `c` that are in force on a day. */
export const runningLines = (tx: Tx, org: string, day: Day = today()): Fragment => tx`
  lease_line l join lease_contract c on c.org_id = l.org_id and c.id = l.lease_contract_id
   where l.org_id = ${org} and l.start_on <= ${day}::date and ${lastDay(tx)} >= ${day}::date
     and c.status = 'enabled' and c.stopped_on is null`

/** The quantity of an owner's stock in areas of a warehouse; without areas in all of it. */
export async function stockOf(
  tx: Tx,
  org: string,
  where: { readonly owner?: string; readonly warehouse: string; readonly areas?: readonly string[] },
): Promise<string> {
  const [row] = await tx<{ quantity: string }[]>`
    select coalesce(sum(s.quantity), 0)::numeric(18,3)::text as quantity from lease_stock s
     where s.org_id = ${org} and s.warehouse_id = ${where.warehouse}
       and ${where.owner === undefined ? tx`true` : tx`s.owner_id = ${where.owner}`}
       and ${where.areas === undefined ? tx`true` : tx`s.area_code = any(${[...where.areas]})`}`
  return row!.quantity
}
