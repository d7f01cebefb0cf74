import type { ListColumn } from '#server/public/documents.ts'

/** Columns of documents that are invoiced. */
export const invoiceColumns: Readonly<Record<string, ListColumn>> = {
  // The numbers of its invoices in effect.
  invoice_nos: tx => tx`
    (select string_agg(distinct i.fields->>'invoice_no', '、') from document_line l
      join document i on i.org_id = l.org_id and i.id = l.document_id
      where l.org_id = d.org_id and l.source_document_id = d.id and i.role = 'own' and i.fields ? 'invoice_no'
        and i.state in ('submitted', 'reviewed', 'partial', 'completed'))`,
}
