import type { ListColumn } from '#server/public/documents.ts'

/** Columns of first approvals. */
export const approvalColumns: Readonly<Record<string, ListColumn>> = {
  // The first signer: for a first approval the quality department.
  quality_reviewer: tx => tx`
    (select h.actor_name from document_history h
      where h.org_id = d.org_id and h.document_id = d.id and h.action = 'review'
        and d.state not in ('draft', 'rejected')
        and h.seq > coalesce((select max(b.seq) from document_history b
          where b.org_id = d.org_id and b.document_id = d.id and b.action in ('submit', 'unreview')), 0)
      order by h.seq limit 1)`,
}
