import { today } from '#kernel/values/date.ts'
import type { ListColumn } from '#server/public/documents.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/** The lines of applications whose invoices and openings a document `d` pays: its own, or those behind a payment. */
const appliedLines = (tx: Tx, kind: string): Fragment =>
  kind === 'payment'
    ? tx`document_line p join document_line l on l.org_id = p.org_id and l.document_id = p.source_document_id
           and l.line_no = p.source_line_no where p.org_id = d.org_id and p.document_id = d.id`
    : tx`document_line l where l.org_id = d.org_id and l.document_id = d.id`

/** The first day on which something that `d` pays was due: an invoice as a whole, an opening by its line. */
const dueOn = (tx: Tx, kind: string): Fragment => tx`
  (select min(o.due_date) from (select l.org_id, l.source_document_id, l.source_line_no
     from ${appliedLines(tx, kind)}) a
     join open_item o on o.org_id = a.org_id and o.document_id = a.source_document_id
       and o.line_no in (0, a.source_line_no))`

/** The payments in force that were made from `d`. */
const payments = (tx: Tx, what: Fragment): Fragment => tx`
  (select ${what} from document p
    where p.org_id = d.org_id and p.kind = 'payment' and p.role = 'own' and p.red_of_id is null
      and p.state in ('reviewed', 'completed')
      and exists (select 1 from document_line l
                   where l.org_id = p.org_id and l.document_id = p.id and l.source_document_id = d.id))`

/** 付款日期 of `d`: the day of its latest payment. */
export const lastPaid = (tx: Tx): Fragment => payments(tx, tx`max(p.fields->>'paid_on')::date`)

/** The day on which `d` was paid in full; null while it waits. */
const paidOn = (tx: Tx, kind: string): Fragment =>
  kind === 'payment' ? tx`(d.fields->>'paid_on')::date` : tx`case when d.state = 'completed' then ${lastPaid(tx)} end`

const balance = (tx: Tx, column: 'payable' | 'prepaid'): Fragment => tx`
  coalesce((select a.${tx(column)} from account_summary a
             where a.org_id = d.org_id and a.counterparty_id = d.counterparty_id), 0)::numeric(18,2)`

/** The money of a receipt `d` under invoices and openings, and what is left of it as an advance of the customer. */
const received = (tx: Tx, what: Fragment): Fragment => tx`
  (select ${what} from (
     select coalesce(sum(l.taxed_amount) filter (where l.source_line_no is not null), 0) as matched,
            coalesce(sum(l.taxed_amount) filter (where l.source_line_no is null), 0) as free
       from document_line l where l.org_id = d.org_id and l.document_id = d.id) m
   left join advance_item i on i.org_id = d.org_id and i.id = d.id)`
const matched = (tx: Tx): Fragment => tx`(m.matched + coalesce(i.used_amount, 0))::numeric(18,2)`
const unmatched = (tx: Tx): Fragment => tx`
  (case when d.state in ('draft', 'submitted', 'rejected') then m.free
    else coalesce(i.left_amount, 0) end)::numeric(18,2)`

/** Columns of applications, payments and receipts: when it was due, how it was paid, what it settled. */
export const dueColumns: Readonly<Record<string, ListColumn>> = {
  items_due_on: (tx, { kind }) => dueOn(tx, kind),
  items_late_days: (tx, { kind }) => tx`
    case when d.state not in ('cancelled', 'stopped', 'reversed')
      then greatest(coalesce(${paidOn(tx, kind)}, ${today()}::date) - ${dueOn(tx, kind)}, 0) end`,
  payment_nos: tx => payments(tx, tx`string_agg(p.sn, '、' order by p.sn)`),
  last_paid_on: lastPaid,
  pay_accounts: tx => payments(tx, tx`string_agg(distinct nullif(p.fields->>'pay_account', ''), '、')`),
  partner_payable: tx => balance(tx, 'payable'),
  partner_prepaid: tx => balance(tx, 'prepaid'),
  last_offset_on: tx => tx`
    (select (max(o.reviewed_at) at time zone 'Asia/Shanghai')::date from document o
       join document_line l on l.org_id = o.org_id and l.document_id = o.id and l.fields->>'advance_sn' = d.sn
      where o.org_id = d.org_id and o.counterparty_id = d.counterparty_id and o.kind = 'prepaymentOffset'
        and o.red_of_id is null and o.state in ('reviewed', 'completed'))`,
  matched_amount: tx => received(tx, matched(tx)),
  unmatched_amount: tx => received(tx, unmatched(tx)),
  matching_state: tx =>
    received(tx, tx`case when ${matched(tx)} = 0 then '1' when ${unmatched(tx)} = 0 then '3' else '2' end`),
}
