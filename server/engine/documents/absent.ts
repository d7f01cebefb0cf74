import { type Decimal, negate } from '#kernel/decimal.ts'
import type { Purpose } from '#kernel/purpose.ts'
import type { State } from '#kernel/state.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { hasAccount } from '#server/engine/documents/hand-over.ts'
import { bookOf, post } from '#server/engine/documents/post.ts'
import { type Advance, advance } from '#server/engine/documents/progress.ts'

type Part = { readonly line_no: number; readonly base_quantity: Decimal }

/** By which answer goods of this paper arrive at its counterparty: it is received there, or a gift is taken back. */
export const arrivesBy = ({ definition, doc }: Pick<Acting, 'definition' | 'doc'>): Purpose | null =>
  doc.counterparty_sn &&
  definition.sends?.some(
    send => send.on === 'review' && (send.to ? send.to(doc) : doc.counterparty_sn) === doc.counterparty_sn,
  )
    ? ((['receive', 'give_back'] as const).find(purpose => definition.answers?.[purpose]) ?? null)
    : null

const receipts = (document: string, purpose: Purpose, parts: readonly Part[]): Advance[] =>
  parts.map(({ line_no, base_quantity }) => ({
    document_id: document,
    line_no,
    purpose,
    quantity: base_quantity,
    measure: 'quantity',
  }))

/** A customer without an account never answers: what leaves for him has arrived, and nothing of the paper is left to do. */
export async function answerForAbsent(acting: Acting): Promise<{ state: State } | undefined> {
  const { tx, session, definition, doc } = acting
  const purpose = arrivesBy(acting)
  if (!purpose || (await hasAccount(tx, doc.counterparty_sn!))) return undefined
  const booked = definition.answers![purpose]!(doc as never, bookOf(session))
  await post(tx, session, { ...definition, goods: 'none' }, doc, booked)
  await advance(tx, session, receipts(doc.id, purpose, doc.lines))
  return definition.main === purpose ? { state: 'completed' } : undefined
}

/** Whether the paper answered itself when it was reviewed: nothing was sent to its customer, whoever he is by now. */
export async function answeredItself(acting: Acting): Promise<boolean> {
  const { tx, session, doc } = acting
  if (!arrivesBy(acting)) return false
  const sent = await tx`
    select 1 from intercompany_message where org_id = ${session.org.id} and document_id = ${doc.id} and to_org_id = ${doc.counterparty_sn} and message = 'document' limit 1`
  return sent.length === 0
}

/** What he had received of these parts comes back with them. */
export async function takeBackFromAbsent(acting: Acting, parts: readonly Part[]): Promise<void> {
  const back = parts.map(part => ({ line_no: part.line_no, base_quantity: negate(part.base_quantity) }))
  await advance(acting.tx, acting.session, receipts(acting.doc.id, arrivesBy(acting)!, back))
}
