import type { State } from '#kernel/definition/document-state.ts'
import { BusinessError, ConfirmationRequired } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { submitAndReview } from '#server/public/actions.ts'
import { type Session, systemSession } from '#server/public/session.ts'

/**
 * 自动收货: what is issued to a department that requested it is received there in the same transaction. A cabinet itself
 * confirms what was put into it, and what needs a person's decision waits for a person. Returns the new
 * state; nothing if it waits.
 */
export async function receivedAtOnce({ tx, session, doc }: ActionContext): Promise<State | undefined> {
  const [receipt] = await tx<{ sn: string }[]>`
    select r.sn from document r
      join warehouse w on w.org_id = r.org_id and w.id = r.warehouse_id
      join department d on d.org_id = w.org_id and d.id = w.department_id
     where r.org_id = ${session.org.id} and r.kind = 'wardReceipt' and r.role = 'own' and r.state = 'submitted'
       and r.source_document_id = ${doc.id}
       and d.receives_at_grant and w.model <> 'cabinet'`
  if (!receipt) return undefined
  const organisation: Session = { ...systemSession(session.org), userName: '系统自动收货' }
  try {
    await tx.savepoint(inner => submitAndReview(inner, organisation, 'wardReceipt', receipt.sn))
  } catch (error) {
    if (error instanceof BusinessError || error instanceof ConfirmationRequired) return undefined
    throw error
  }
  const [grant] = await tx<{ state: State }[]>`
    select state from document where org_id = ${session.org.id} and id = ${doc.id}`
  return grant?.state
}
