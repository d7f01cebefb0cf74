import { type Decimal, negate } from '#kernel/values/decimal.ts'
import type { Purpose } from '#kernel/definition/progress.ts'
import type { State } from '#kernel/definition/document-state.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { hasAccount } from '#server/documents/intercompany/outbox.ts'
import { postDocument, postingContext } from '#server/documents/posting/post.ts'
import { type ProgressEntry, recordProgress } from '#server/documents/progress/progress.ts'

type Part = { readonly line_no: number; readonly base_quantity: Decimal }

/**
 * The answer by which this document's goods arrive at its counterparty: it is received there, or a gift is taken
 * back.
 */
export const arrivalPurpose = ({ definition, doc }: Pick<ActionContext, 'definition' | 'doc'>): Purpose | null =>
  doc.counterparty_sn &&
  definition.intercompany.copies?.some(
    send =>
      send.on === 'review' && (send.recipient ? send.recipient(doc) : doc.counterparty_sn) === doc.counterparty_sn,
  )
    ? ((['receive', 'give_back'] as const).find(purpose => definition.intercompany.onProgress?.[purpose]) ?? null)
    : null

const receipts = (document: string, purpose: Purpose, parts: readonly Part[]): ProgressEntry[] =>
  parts.map(({ line_no, base_quantity }) => ({
    document_id: document,
    line_no,
    purpose,
    quantity: base_quantity,
    measure: 'quantity',
  }))

/** A customer without an account never answers: goods shipped count as arrived, and the document is complete. */
export async function autoReceiveForOfflinePartner(ctx: ActionContext): Promise<{ state: State } | undefined> {
  const { tx, session, definition, doc } = ctx
  const purpose = arrivalPurpose(ctx)
  if (!purpose || (await hasAccount(tx, doc.counterparty_sn!))) return undefined
  const booked = definition.intercompany.onProgress![purpose]!(doc, postingContext(session))
  await postDocument(
    tx,
    session,
    { ...definition, posting: { ...definition.posting, stockDirection: 'none' } },
    doc,
    booked,
  )
  await recordProgress(tx, session, receipts(doc.id, purpose, doc.lines))
  return definition.progress.main === purpose ? { state: 'completed' } : undefined
}

/**
 * True if the document was auto-received at review: nothing was sent to its customer, even if the customer has an
 * account by now.
 */
export async function wasAutoReceived(ctx: ActionContext): Promise<boolean> {
  const { tx, session, doc } = ctx
  if (!arrivalPurpose(ctx)) return false
  const sent = await tx`
    select 1 from intercompany_message where org_id = ${session.org.id} and document_id = ${doc.id}
      and to_org_id = ${doc.counterparty_sn} and message = 'document' limit 1`
  return sent.length === 0
}

/** The auto-received quantity of these parts is returned with them. */
export async function undoAutoReceipt(ctx: ActionContext, parts: readonly Part[]): Promise<void> {
  const back = parts.map(part => ({ line_no: part.line_no, base_quantity: negate(part.base_quantity) }))
  await recordProgress(ctx.tx, ctx.session, receipts(ctx.doc.id, arrivalPurpose(ctx)!, back))
}
