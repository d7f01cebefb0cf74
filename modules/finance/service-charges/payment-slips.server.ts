import { derived, documents } from '#kernel/registry.ts'
import type { ListColumn } from '#server/public/documents.ts'

/** Kinds by which a bill is paid, on either side. */
const payingKinds = derived(() =>
  documents()
    .filter(({ posting, sourcing }) => posting.accountMovement === 'money' && sourcing.sources?.some(isOfBill))
    .map(({ kind }) => kind),
)
const isOfBill = ({ from }: { readonly from: string }): boolean => from === 'serviceCharge'

/** 收付款凭据 of a bill: the slips of all payments of it that are in force, on whichever side it is read. */
export const paymentSlips = {
  payment_slips: (...[tx, definition]: Parameters<ListColumn>) =>
    definition.kind === 'serviceCharge'
      ? tx`(select coalesce(array_agg(distinct s.file), '{}') from document p cross join unnest(p.attachments) s(file)
             where p.org_id = d.org_id and p.role = 'own' and p.red_of_id is null and p.kind = any(${payingKinds()})
               and p.state in ('reviewed', 'partial', 'completed')
               and exists (select 1 from document_line l
                            where l.org_id = p.org_id and l.document_id = p.id and l.source_document_id = d.id))`
      : null,
}
