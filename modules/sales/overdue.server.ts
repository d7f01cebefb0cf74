import type { Fragment } from '#server/public/records.ts'
import { today } from '#kernel/values/date.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * 账期: what these customers owe on items that are overdue, and since when; a red invoice counts with the blue one it
 * reverses. `customers` is a condition over the item `i`.
 */
export async function overdueReceivable(
  tx: Tx,
  org: string,
  customers: Fragment,
): Promise<{ owed: string; since: string } | undefined> {
  const [late] = await tx<{ owed: string; since: string }[]>`
    select sum(i.open_amount)::numeric(18,2)::text as owed, min(i.due_date)::text as since
      from open_item i
     where i.org_id = ${org} and i.direction = 'receivable' and i.settle_state = 'open' and i.due_date < ${today()}::date
       and ${customers}
    having sum(i.open_amount) > 0`
  return late
}
