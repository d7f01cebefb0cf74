import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Documents that a printed one is filed with: the orders behind its lines, and its invoices, by number. */
export type RelatedNumbers = { readonly order_sns: string | null; readonly invoice_nos: string | null }

/**
 * Numbers of the orders behind a document of our organisation and of its invoices; red ones and drafts are excluded.
 * An order that is the document's source is named there.
 */
export async function relatedNumbers(
  tx: Tx,
  session: Session,
  document: string,
  source: string | null,
): Promise<RelatedNumbers> {
  const org = session.org.id
  const [row] = await tx<RelatedNumbers[]>`
    select (select nullif(string_agg(distinct o.sn, '、'), ${source}) from document_line l
      join document o on o.org_id = l.org_id and o.id = l.order_document_id
             where l.org_id = ${org} and l.document_id = ${document}) as order_sns,
           (select string_agg(distinct i.fields->>'invoice_no', '、') from document_line l
             join document i on i.org_id = l.org_id and i.id = l.document_id
             where l.org_id = ${org} and l.source_document_id = ${document} and i.red_of_id is null
               and i.state in ('reviewed', 'partial', 'completed')) as invoice_nos`
  return row!
}
