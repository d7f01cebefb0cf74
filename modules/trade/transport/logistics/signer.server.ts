import type { logistics } from '#modules/trade/transport/logistics/logistics.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import { patchDocument, type StoredDocument, type TypedDocument } from '#server/public/documents.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { markDeliveries, signerNote } from '#modules/trade/licensing/customer-signers.server.ts'
import { enqueueMessage } from '#server/public/intercompany.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof logistics>
type Logistics = TypedDocument<typeof logistics>

/** Warns by name about a signer who is in none of the customer's letters, and has the user confirm. */
export async function askAboutSigner({ tx, session, doc, warnings }: Context): Promise<void> {
  const note = await signerNote(tx, session, doc.counterparty_sn, doc.signed_by)
  if (note !== null) warnings.push({ rule: 'signerOnFile', msg: `${note}，是否仍由其签收？` })
}

/** The values of a signature that a tenant's notice gets besides the shipment itself. */
type Signed = { readonly signed_by: unknown; readonly signed_at: unknown; readonly transport_state: unknown }

/**
 * Notes on a shipment that another person than those named by the customer signed for it, and on its deliveries too.
 * Deliveries of a lessor's tenant are left to the tenant, who has the letters himself. Returns the note for the
 * shipment.
 */
export async function noteSigner(
  tx: Tx,
  session: Session,
  doc: Logistics,
  signed: Signed,
): Promise<{ readonly signer_note: string | null }> {
  if (doc.source_type === sourceTypes.LEASE_NOTICE) await informTenant(tx, session, doc, signed)
  const signer_note = await signerNote(tx, session, doc.counterparty_sn, signed.signed_by)
  await patchDocument(tx, session, doc, { signer_note }, 'derived')
  if (signer_note === null || doc.source_type === sourceTypes.LEASE_NOTICE) return { signer_note }
  await markDeliveries(tx, session, [...new Set(doc.lines.flatMap(line => line.source_document_id ?? []))], signer_note)
  return { signer_note }
}

/** The tenant reads on his notice who signed for his goods, and when. */
async function informTenant(tx: Tx, session: Session, doc: Logistics, signed: Signed): Promise<void> {
  if (!doc.lessee_sn) return
  const notices = [...new Set(doc.lines.flatMap(line => line.source_sn ?? []))]
  for (const sn of notices)
    await enqueueMessage(tx, session, String(doc.lessee_sn), doc.id, {
      message: 'act',
      kind: 'leaseNoticeOut',
      sn: sn.split('/')[0]!,
      action: 'signed',
      label: '收货单位签收',
      reason: null,
      actor: session.userName,
      sets: {
        sign_state: signed.transport_state === 'partly_refused' ? 'partly_refused' : 'signed',
        signed_by: String(signed.signed_by ?? ''),
        signed_at: String(signed.signed_at ?? ''),
      },
    })
}

/**
 * Notifies our people after the customer signed by receiving the goods, because nobody here was asked about the signer.
 */
export async function reportSigner(tx: Tx, session: Session, doc: StoredDocument, note: string): Promise<void> {
  await sendMessage(tx, session.org.id, {
    title: '签收人未在委托书中',
    body: `物流单${doc.sn}：${note}，请与客户核实`,
    uri: 'logistics',
    objectId: doc.sn,
    kind: 'logistics',
  })
}
