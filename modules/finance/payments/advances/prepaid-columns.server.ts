import { today } from '#kernel/values/date.ts'
import type { ListColumn } from '#server/public/documents.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/** Days after which a prepayment without an invoice is old. */
export const OLD_DAYS = 90

/** Something of the advance `d` is left. */
const isLeft = (tx: Tx): Fragment =>
  tx`exists (select 1 from advance_item i where i.org_id = d.org_id and i.id = d.id and i.left_amount > 0)`

/** Columns of prepayments that are computed from elsewhere than the document. */
export const prepaidColumns: Readonly<Record<string, ListColumn>> = {
  // Paid long ago, and something of it is still left.
  long_open: tx => tx`
    case when d.state = 'completed'
      and (d.reviewed_at at time zone 'Asia/Shanghai')::date < ${today()}::date - ${OLD_DAYS}::int
      and ${isLeft(tx)}
      then '1' else '0' end`,
  has_balance: tx => tx`case when ${isLeft(tx)} then '1' else '0' end`,
}
