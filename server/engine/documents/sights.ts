import { today } from '#kernel/day.ts'
import type { AnyDocument } from '#kernel/document.ts'
import { receivingSights } from '#server/engine/documents/awaited.ts'
import { settledStageSql } from '#server/engine/documents/reported.ts'
import type { Fragment } from '#server/engine/records/rules.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** What kind of organisation the other side is. */
export const partnerTypeSql = (tx: Tx): Fragment =>
  tx`(select o.system_type::text from organisation o where o.id = d.counterparty_id)`

/** 账龄: days from its review to today, or to the day on which the last of what was made of it settled it. */
export const ageSql = (tx: Tx): Fragment => tx`
  (coalesce(((case when d.state = 'completed' then (select max(r.reviewed_at) from document_line l join document r on r.org_id = l.org_id and r.id = l.document_id
                                             where l.org_id = d.org_id and l.source_document_id = d.id and r.role = 'own') end) at time zone 'Asia/Shanghai')::date, ${today()}::date) - (d.reviewed_at at time zone 'Asia/Shanghai')::date)`

/** What a list may show of a paper that stands elsewhere than on it; read for the kinds whose pages have the column. */
const sights: Readonly<Record<string, (tx: Tx, definition: AnyDocument) => Fragment>> = {
  age_days: tx => tx`${ageSql(tx)} as age_days`,
  // Since the day on which it was due, while something of it is open.
  overdue_days: (tx, { due }) => tx`
    case when d.state in ('reviewed', 'partial') and d.fields->>${String(due)} < ${today()} then ${today()}::date - (d.fields->>${String(due)})::date end as overdue_days`,
  // What lies under its number, at cost.
  lying_cost: tx => tx`
    (select coalesce(sum(b.value), 0)::numeric(18,2) from stock_balance b
      where b.org_id = d.org_id and b.warehouse_id = d.to_warehouse_id and b.location = d.sn) as lying_cost`,

  counterparty_type: tx => tx`${partnerTypeSql(tx)} as counterparty_type`,
  // Of a quotation: what a price was written for, and how long one may still be written.
  offered_count: tx => tx`
    (select count(*)::int from document_line l where l.org_id = d.org_id and l.document_id = d.id and l.price > 0 and not coalesce((l.fields->>'no_offer')::boolean, false)) as offered_count`,
  time_left: tx => tx`
    case when d.state in ('draft', 'submitted') and d.fields->>'deadline' is not null then (
      select case when t.rest <= interval '0' then '已截止' when t.rest >= interval '1 day' then extract(day from t.rest)::int || '天' || extract(hour from t.rest)::int || '小时'
                  else extract(hour from t.rest)::int || '小时' || extract(minute from t.rest)::int || '分' end
        from (select (d.fields->>'deadline')::timestamptz - posting_now() as rest) t) end as time_left`,
  // Lines that are flagged, or did not pass.
  goods_in_question: tx => tx`
    (select string_agg(p.name || ' ' || s.name || coalesce(' 批号' || l.lot_no, '') || coalesce(' 有效期至' || l.expiry_date, ''), '；' order by l.line_no)
       from document_line l join specification s on s.id = l.specification_id join product p on p.id = s.product_id
      where l.org_id = d.org_id and l.document_id = d.id and (l.fields ? 'line_abnormal' or coalesce((l.fields->>'unqualified_quantity')::numeric, 0) > 0)) as goods_in_question`,
  // Whose goods the lines are about; one's own house is named where it owns some of them.
  owner_names: tx => tx`
    (select string_agg(distinct o.name, '、') from document_line l join organisation o on o.id = coalesce(l.owner_org_id, d.org_id)
      where l.org_id = d.org_id and l.document_id = d.id) as owner_names`,
  // Whoever brought or owns the goods of its lines, where these say so.
  supplier_names: tx => tx`
    (select string_agg(distinct o.name, '、') from document_line l join organisation o on o.id = (l.fields->>'supplier_sn')::bigint
      where l.org_id = d.org_id and l.document_id = d.id) as supplier_names`,
  // What the level before wrote when it signed.
  last_opinion: tx => tx`
    (select h.actor_name || coalesce('：' || h.reason, '') from document_history h
      where h.org_id = d.org_id and h.document_id = d.id and h.action = 'review' order by h.seq desc limit 1) as last_opinion`,
  rejected_for: tx => tx`
    case when d.state = 'rejected' then (select h.reason from document_history h
      where h.org_id = d.org_id and h.document_id = d.id and h.action = 'reject' order by h.seq desc limit 1) end as rejected_for`,
  // The numbers of the invoices that were made over it and stand.
  invoice_nos: tx => tx`
    (select string_agg(distinct i.fields->>'invoice_no', '、') from document_line l join document i on i.org_id = l.org_id and i.id = l.document_id
      where l.org_id = d.org_id and l.source_document_id = d.id and i.role = 'own' and i.fields ? 'invoice_no' and i.state in ('submitted', 'reviewed', 'partial', 'completed')) as invoice_nos`,
  settled_stage: tx => tx`${settledStageSql(tx)} as settled_stage`,
  // Whoever signed first: of a first approval the quality department.
  quality_reviewer: tx => tx`
    (select h.actor_name from document_history h
      where h.org_id = d.org_id and h.document_id = d.id and h.action = 'review' and d.state not in ('draft', 'rejected')
        and h.seq > coalesce((select max(b.seq) from document_history b where b.org_id = d.org_id and b.document_id = d.id and b.action in ('submit', 'unreview')), 0)
      order by h.seq limit 1) as quality_reviewer`,
  entry_mode: tx => tx`
    case when exists (select 1 from document_history h where h.org_id = d.org_id and h.document_id = d.id and h.action = 'import') then 'import' else 'hand' end as entry_mode`,
  checked_count: tx => tx`
    (select count(*)::int from document_line l where l.org_id = d.org_id and l.document_id = d.id and l.fields ? 'condition') as checked_count`,
  ...receivingSights,
}

/** The further columns of a list row that some page of the kind shows. */
export const sightSelect = (tx: Tx, definition: AnyDocument): Fragment =>
  Object.entries(sights)
    .filter(([name]) => definition.screens.some(screen => screen.columns.includes(name)))
    .reduce((all, [, select]) => tx`${all}, ${select(tx, definition)}`, tx``)
