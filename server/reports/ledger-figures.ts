import type { Measure } from '#kernel/measure/measure.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { MeasuredDays } from '#server/reports/measures.ts'
import { sqlFragments } from '#server/reports/sql-fragments.ts'

/** The moments of days, both included. */
const until = (tx: Tx, day: string) => tx`(${day}::date + 1)::timestamp at time zone 'Asia/Shanghai'`

/** The worth of own goods in stores at the end of a day, by all their moves. */
const stock = (tx: Tx, org: string, { end_date }: MeasuredDays) => tx<{ amount: Decimal }[]>`
  select coalesce(sum(m.value), 0)::numeric(18,2)::text as amount
    from stock_move m join warehouse w on w.org_id = m.org_id and w.id = m.warehouse_id
   where m.org_id = ${org} and m.owner_id = ${org} and w.model not in ('transit', 'consumed')
     and m.at < ${until(tx, end_date)}`

/**
 * The amounts that documents of a fact booked with partners, on the days of their reviews; goods of a return that a
 * supplier refused raise our debt again, on the day that it is booked.
 */
const booked = (
  tx: Tx,
  org: string,
  { begin_date, end_date }: MeasuredDays,
  { direction, fact }: Exclude<NonNullable<Measure['ledger']>, string>,
) => tx<{ amount: Decimal }[]>`
  select coalesce(sum(e.amount), 0)::numeric(18,2)::text as amount
    from document d join money_entry e on e.org_id = d.org_id and e.document_id = d.id
    cross join lateral (select case
      when e.direction = 'payable' and e.movement = 'return' and e.amount > 0 and e.undo_of is null
        and d.red_of_id is null then e.at
      else coalesce(d.reviewed_at, d.created_at) end as at) x
   where d.org_id = ${org} and ${tx.unsafe(sqlFragments.feeds('d.kind', fact))} and e.direction = ${direction}
     and x.at >= ${begin_date}::timestamp at time zone 'Asia/Shanghai' and x.at < ${until(tx, end_date)}`

/** A measure by the ledgers alone; null for one that they do not tell. */
export async function ledgerFigure(
  tx: Tx,
  org: string,
  { ledger }: Measure,
  days: MeasuredDays,
): Promise<Decimal | null> {
  if (ledger === undefined) return null
  const [row] = await (ledger === 'stock' ? stock(tx, org, days) : booked(tx, org, days, ledger))
  return row!.amount
}
