import type { State } from '#kernel/definition/document-state.ts'
import { BusinessError, ConfirmationRequired } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { submitAndReview } from '#server/public/actions.ts'
import { inNameOf } from '#server/public/session.ts'

/** The setting of a department that receives automatically: with the issue, or by the signature. */
type Receives = 'receives_at_grant' | 'receives_by_signature'

/**
 * Receives what waits of an issue in the same transaction, for a department of that sort. A cabinet itself confirms
 * what was put into it, and what needs a person's decision waits for a person. Returns the new state; nothing
 * if it waits.
 */
async function received({ tx, session, doc }: ActionContext, how: Receives, by: string): Promise<State | undefined> {
  const [receipt] = await tx<{ sn: string }[]>`
    select r.sn from document r
      join warehouse w on w.org_id = r.org_id and w.id = r.warehouse_id
      join department d on d.org_id = w.org_id and d.id = w.department_id
     where r.org_id = ${session.org.id} and r.kind = 'wardReceipt' and r.role = 'own' and r.state = 'submitted'
       and r.source_document_id = ${doc.id}
       and d.${tx(how)} and w.model <> 'cabinet'`
  if (!receipt) return undefined
  const organisation = inNameOf({ org: session.org, userName: by })
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

/** 自动收货: with the issue itself. */
export const receivedAtOnce = (ctx: ActionContext): Promise<State | undefined> =>
  received(ctx, 'receives_at_grant', '系统自动收货')

/** 签收即收货: the person who signed for the goods received them. */
export const receivedBySignature = (ctx: ActionContext, signer: string): Promise<State | undefined> =>
  received(ctx, 'receives_by_signature', `${signer}（签收）`)
