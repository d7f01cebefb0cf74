import { Refusal } from '#kernel/refusal.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'

/** A delivery note is registered once. */
async function refuseRepeated(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  if (!doc.delivery_note_no) return
  const [other] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'arrivalOrder' and role = 'own' and id <> ${doc.id} and counterparty_id = ${doc.counterparty_sn}
       and source_sn is distinct from ${doc.source_sn} and state not in ('cancelled', 'deleted') and fields->>'delivery_note_no' = ${String(doc.delivery_note_no)} limit 1`
  if (other) throw new Refusal('duplicate', `随货同行单号${String(doc.delivery_note_no)}已登记（${other.sn}）`)
}

export const arrivalOrderRules: DocumentRules = { kind: 'arrivalOrder', before: { submit: refuseRepeated } }
