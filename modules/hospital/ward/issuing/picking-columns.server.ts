import type { ListColumn } from '#server/public/documents.ts'

/** Columns of picking lists. */
export const pickingColumns: Readonly<Record<string, ListColumn>> = {
  // The boxes of its lines, else those of its header.
  box_count: tx => tx`
    (select count(distinct b.box)::int from document_line l
      cross join lateral regexp_split_to_table(coalesce(nullif(trim(l.fields->>'box_no'), ''), d.fields->>'box_no'),
        '[\\s,，、;；]+') b(box) where l.org_id = d.org_id and l.document_id = d.id and b.box <> '')`,
}
