import type { AnyDocument } from '#kernel/definition/document.ts'
import { awaitsMyApprovalSql } from '#server/documents/approval/levels.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** What a list may ask about the person who reads it. */
export const myFilters = { '1': '我的', waiting: '待我审核', signed: '我已处理', drafts: '草稿只看本人' } as const

/** The papers of a person: written, to be signed, or signed by him; and all but the drafts that others still write. */
export function myDocumentsSql(tx: Tx, session: Session, { actions }: AnyDocument, which: string) {
  const me = session.userId
  if (which === 'waiting') {
    // Where the author never signs, his own papers do not wait for him.
    const others = actions.review?.notByAuthor
      ? tx`and d.created_by is distinct from ${me} and d.submitted_by is distinct from ${me} and ${me} <> all(d.former_authors)`
      : tx``
    return tx`(d.state = 'submitted' and ${awaitsMyApprovalSql(tx, session)} ${others})`
  }
  if (which === 'signed')
    return tx`exists (select 1 from document_history h where h.org_id = d.org_id and h.document_id = d.id and h.actor_id = ${me} and h.action in ('review', 'reject'))`
  if (which === 'drafts') return tx`(d.state <> 'draft' or d.created_by = ${me})`
  return tx`(d.created_by = ${me} or d.handler_id = (select u.employee_id from app_user u where u.id = ${me}))`
}
