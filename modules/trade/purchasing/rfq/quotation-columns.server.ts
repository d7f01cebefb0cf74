import type { ListColumn } from '#server/public/documents.ts'

/** Columns of quotations: the lines with a price, and how long prices may still be entered. */
export const quotationColumns: Readonly<Record<string, ListColumn>> = {
  // For a quotation: the lines with a price, and how long prices may still be entered.
  offered_count: tx => tx`
    (select count(*)::int from document_line l where l.org_id = d.org_id and l.document_id = d.id and l.price > 0
      and not coalesce((l.fields->>'no_offer')::boolean, false))`,
  time_left: tx => tx`
    case when d.state in ('draft', 'submitted') and d.fields->>'deadline' is not null then (
      select case when t.rest <= interval '0' then '已截止' when t.rest >= interval '1 day'
        then extract(day from t.rest)::int || '天' || extract(hour from t.rest)::int || '小时'
                  else extract(hour from t.rest)::int || '小时' || extract(minute from t.rest)::int || '分' end
        from (select (d.fields->>'deadline')::timestamptz - posting_now() as rest) t) end`,
}
