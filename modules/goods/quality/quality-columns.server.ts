import type { ListColumn } from '#server/public/documents.ts'

/** Columns of documents about doubtful goods. */
export const qualityColumns: Readonly<Record<string, ListColumn>> = {
  // Lines that are flagged, or did not pass.
  goods_in_question: tx => tx`
    (select string_agg(p.name || ' ' || s.name || coalesce(' 批号' || l.lot_no, '') || coalesce(' 有效期至' || l.expiry_date,
      ''), '；' order by l.line_no)
       from document_line l join specification s on s.id = l.specification_id join product p on p.id = s.product_id
      where l.org_id = d.org_id and l.document_id = d.id
        and (l.fields ? 'line_abnormal' or coalesce((l.fields->>'unqualified_quantity')::numeric, 0) > 0))`,
  // Suppliers or owners of its lines' goods, where recorded.
  supplier_names: tx => tx`
    (select string_agg(distinct o.name, '、') from document_line l
      join organisation o on o.id = (l.fields->>'supplier_sn')::bigint
      where l.org_id = d.org_id and l.document_id = d.id)`,
  checked_count: tx => tx`
    (select count(*)::int from document_line l where l.org_id = d.org_id and l.document_id = d.id
      and l.fields ? 'condition')`,
}
