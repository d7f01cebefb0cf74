import { kindsOf } from '#kernel/measure/feeding.ts'
import { figureSql, type ListColumn } from '#server/public/documents.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'
import { settlementGrn } from '#modules/finance/settlement/settlement-grn.doc.ts'

/** Invoices over these documents (`receipts`), with their lines `y` and what was paid of each. */
const invoiced = (tx: Tx, receipts: Fragment): Fragment => tx`
  (select coalesce(sum(y.base_quantity), 0) as quantity, coalesce(sum(y.taxed_amount + y.rounding), 0) as due,
          coalesce(sum(p.taken), 0) as paid
     from document_line y join document i on i.org_id = y.org_id and i.id = y.document_id
     left join line_progress p on p.org_id = y.org_id and p.document_id = y.document_id and p.line_no = y.line_no
       and p.purpose = 'pay'
    where y.org_id = d.org_id and y.source_document_id in ${receipts} and i.role = 'own' and i.red_of_id is null
      and i.kind = any(${kindsOf('billed', 'invoiced')}) and i.state in ('reviewed', 'partial', 'completed'))`

/** The receipts of a settlement `d`; any other document is invoiced itself. */
const receiptsOf = (tx: Tx, kind: string): Fragment =>
  kind !== 'settlement'
    ? tx`(d.id)`
    : tx`(select x.document_id from document_line x join document r on r.org_id = x.org_id and r.id = x.document_id
           where x.org_id = d.org_id and x.source_document_id = d.id and r.kind = 'settlementGrn'
             and r.red_of_id is null and r.state in ('submitted', 'reviewed', 'partial', 'completed'))`

/** Paid when all of it is invoiced and all of that is paid. */
const paidOf: ListColumn = (tx, { kind }) => tx`
  (select case when d.kind = 'settlement' and d.state = 'completed' then '3'
               when d.total_quantity <> 0 and abs(v.quantity) >= abs(d.total_quantity) and abs(v.paid) >= abs(v.due)
               then '3' when v.paid <> 0 then '2' else '1' end from ${invoiced(tx, receiptsOf(tx, kind))} v)`

/** The settlement receipts and settlements behind the lines of an invoice `d`. */
const behind = (tx: Tx, what: Fragment): Fragment => tx`
  (select ${what} from document_line l
     join document_line g on g.org_id = l.org_id and g.document_id = l.source_document_id
       and g.line_no = l.source_line_no
     join document r on r.org_id = g.org_id and r.id = g.document_id and r.kind = 'settlementGrn'
    where l.org_id = d.org_id and l.document_id = d.id)`

/** The settlement receipts behind an invoice `d`, each once and as a whole: inside, `d` is the receipt. */
const wholeBehind = (tx: Tx, what: Fragment, of: Fragment): Fragment => tx`
  (select ${what} from (
     select distinct l.org_id, l.source_document_id as id from document_line l
      where l.org_id = d.org_id and l.document_id = d.id) s
   cross join lateral (
     select ${of} as figure, d.fields from document d
      where d.org_id = s.org_id and d.id = s.id and d.kind = 'settlementGrn') g)`

const { invoiced_amount: billedOfReceipt } = settlementGrn.progress.columns!

/** Columns of settlements, their receipts and the invoices over them. */
export const settlementFigures: Readonly<Record<string, ListColumn>> = {
  use_count: tx => tx`
    (select count(distinct l.source_sn)::int from document_line l where l.org_id = d.org_id and l.document_id = d.id)`,
  payment_state: paidOf,
  collection_state: paidOf,
  collected_amount: (tx, { kind }) => tx`
    (select v.paid::numeric(18,2) from ${invoiced(tx, receiptsOf(tx, kind))} v)`,
  // The fees that bills in force charge for it; at the supplier those of the bills that it was sent.
  service_fee: tx => tx`
    (select sum(x.taxed_amount)::numeric(18,2) from document c
       join document_line x on x.org_id = c.org_id and x.document_id = c.id and x.fields->>'settlement_no' = d.sn
      where c.org_id = d.org_id and c.kind = 'serviceCharge'
        -- The platform's bill names the hospital whose settlements it charges.
        and (c.from_org_id = d.from_org_id or c.fields->>'hospital_sn' = d.from_org_id::text)
        and c.red_of_id is null and c.state in ('reviewed', 'partial', 'completed'))`,
  // The supplier's copy of a receipt knows the settlement by its lines alone.
  settlement_nos: tx =>
    behind(
      tx,
      tx`string_agg(distinct coalesce(r.source_sn, (select split_part(s.sn, '/', 1) from document s
        where s.org_id = g.org_id and s.id = g.source_document_id)), '、')`,
    ),
  settled_amount: tx =>
    behind(
      tx,
      tx`sum(coalesce((l.fields->>'source_amount')::numeric,
        round(g.taxed_amount * l.base_quantity / nullif(g.base_quantity, 0), 2)))::numeric(18,2)`,
    ),
  settlement_period: tx =>
    wholeBehind(tx, tx`concat_ws(' 至 ', min(g.fields->>'begin_date'), max(g.fields->>'end_date'))`, tx`null`),
  settlement_amount: tx => wholeBehind(tx, tx`sum(g.figure)::numeric(18,2)`, tx`d.taxed_amount`),
  settlement_invoiced: tx =>
    wholeBehind(tx, tx`sum(g.figure)::numeric(18,2)`, figureSql(tx, settlementGrn, billedOfReceipt!)),
  settlement_uninvoiced: tx =>
    wholeBehind(
      tx,
      tx`sum(g.figure)::numeric(18,2)`,
      figureSql(tx, settlementGrn, { ...billedOfReceipt!, rest: true }),
    ),
  invoice_sent_at: tx => tx`coalesce(d.submitted_at, d.created_at)`,
  invoice_checked_by: tx => tx`
    coalesce((select u.name from app_user u where u.id = d.reviewed_by), case when d.reviewed_by = 0 then '系统' end)`,
  invoice_checked_at: tx => tx`d.reviewed_at`,
}
