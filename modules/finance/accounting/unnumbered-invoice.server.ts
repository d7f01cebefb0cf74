import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/**
 * Refuses to settle an invoice of ours that waits for its number: its customer does not have it, and it may never be
 * issued. Money received before it is matched with no invoice and counts as received in advance.
 */
export async function refuseUnnumbered({ tx, session, doc }: ActionContext): Promise<void> {
  const sources = [...new Set(doc.lines.flatMap(line => line.source_document_id ?? []))]
  const [bare] = await tx<{ id: string; sn: string }[]>`
    select id, sn from document where org_id = ${session.org.id} and id = any(${sources}::bigint[])
      and kind = 'outboundInvoice' and role = 'own' and coalesce(fields->>'invoice_no', '') = '' order by id limit 1`
  if (!bare) return
  const msg = `销项发票${bare.sn}还没有发票号码，请开具后再核销；先收到的款不选发票，记为预收`
  const line = doc.lines.find(each => each.source_document_id === bare.id)!.line_no
  throw new BusinessError('rule', msg, [{ field: 'source_sn', line, msg }])
}
