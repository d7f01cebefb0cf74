import type { Fragment } from '#server/public/records.ts'
import { today } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * 账期: what these customers owe on items that are overdue, and since when; a red invoice counts with the blue one it
 * reverses, and what stands to a customer's credit is less than nothing. `customers` is a condition over the item `i`.
 */
export async function overdueReceivable(
  tx: Tx,
  org: string,
  customers: Fragment,
): Promise<{ readonly owed: Decimal; readonly since: string | null }> {
  const [late] = await tx<{ owed: Decimal; since: string | null }[]>`
    select coalesce(sum(i.open_amount), 0)::numeric(18,2)::text as owed, min(i.due_date)::text as since
      from open_item i
     where i.org_id = ${org} and i.direction = 'receivable' and i.settle_state = 'open'
       and i.due_date < ${today()}::date
       and ${customers}`
  return late!
}
