import type { DocumentMessage } from '#server/documents/intercompany/outbox.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { type NewMessage, sendMessage } from '#server/messages/messages.ts'
import { kindShownTo } from '#server/realtime/audience.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The name under which every message points at the document it is about, as pages and other systems read it. */
const pointer = 'salesOrderSn'

type Named = { readonly kind: string; readonly sn: string }

/**
 * Where a message about a partner's document leads: to the document of ours that was made from it, else to our copy.
 */
export const leadsTo = (session: Session, copy: Named, ours: Named | undefined) => ({
  uri: ours?.kind ?? copy.kind,
  objectId: ours?.sn ?? copy.sn,
  kind: kindShownTo(session.org.type, [ours?.kind, copy.kind]),
})

/** The newest document of ours that was made from a copy and still counts. */
export const madeOf = async (tx: Tx, org: string, copy: string): Promise<Named | undefined> =>
  (
    await tx<Named[]>`
      select kind, sn from document where org_id = ${org} and source_document_id = ${copy} and role = 'own'
        and state not in ('cancelled', 'deleted') order by id desc limit 1`
  )[0]

/** Notifies the receiver's users that a document arrived, and what was created from it. */
export async function notifyReceived(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: DocumentMessage,
  created: { kind: string; sn: string } | null,
  text: { title: string; uri: string } | undefined,
): Promise<void> {
  if (!text) return
  const place = created === null ? {} : await placeOf(tx, session.org.id, created)
  const body = `${from.name}：${message.sn}${created ? `，已生成${definitionOf(created.kind).title}${created.sn}` : ''}`
  await sendMessage(tx, session.org.id, {
    title: text.title,
    body,
    uri: text.uri,
    objectId: created?.sn ?? message.sn,
    kind: kindShownTo(session.org.type, [created?.kind, text.uri, message.kind]),
    extra: { [pointer]: created?.sn ?? null, org_name: from.name, kind: created?.kind ?? message.kind },
    ...place,
  })
}

/** The stores and department a document concerns: users bound to others are not notified. */
async function placeOf(
  tx: Tx,
  org: string,
  { kind, sn }: { kind: string; sn: string },
): Promise<Pick<NewMessage, 'stores' | 'departmentId'>> {
  const [row] = await tx<{ stores: (string | null)[]; department_id: string | null }[]>`
    select array[warehouse_id, to_warehouse_id] as stores, department_id from document
     where org_id = ${org} and kind = ${kind} and sn = ${sn} and role = 'own'`
  return row ? { stores: row.stores, departmentId: row.department_id } : {}
}
