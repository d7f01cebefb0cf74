import type { AnyDocument } from '#kernel/definition/document.ts'
import { awaitsMyApprovalSql } from '#server/documents/approval/levels.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Filters that depend on the current user. */
export const myFilters = { '1': '我的', waiting: '待我审核', signed: '我已处理', drafts: '草稿只看本人' } as const

/** A user's documents: written, to be signed, or signed by the user; and all except drafts of other authors. */
export function myDocumentsSql(tx: Tx, session: Session, { actions }: AnyDocument, which: string) {
  const me = session.userId
  if (which === 'waiting') {
    // Authors may not review such a kind, so their own documents do not wait for them.
    const others = actions.review?.notByAuthor
      ? tx`and d.created_by is distinct from ${me} and d.submitted_by is distinct
        from ${me} and ${me} <> all(d.former_authors)`
      : tx``
    return tx`(d.state = 'submitted' and ${awaitsMyApprovalSql(tx, session)} ${others})`
  }
  if (which === 'signed')
    return tx`exists (select 1 from document_history h where h.org_id = d.org_id and h.document_id = d.id
      and h.actor_id = ${me} and h.action in ('review', 'reject'))`
  if (which === 'drafts') return tx`(d.state <> 'draft' or d.created_by = ${me})`
  return tx`(d.created_by = ${me} or d.handler_id = (select u.employee_id from app_user u where u.id = ${me}))`
}
