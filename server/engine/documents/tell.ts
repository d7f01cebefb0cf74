import type { PaperMessage } from '#server/engine/documents/hand-over.ts'
import { definitionOf } from '#server/engine/documents/source-lines.ts'
import { leaveMessage, type NewMessage } from '#server/engine/messages.ts'
import { kindShownTo } from '#server/engine/realtime/audience.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** Tells the receiver's people that a paper came, and what was laid from it. */
export async function tell(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: PaperMessage,
  laid: { kind: string; sn: string } | null,
  text: { title: string; uri: string } | undefined,
): Promise<void> {
  if (!text) return
  const place = laid === null ? {} : await placeOf(tx, session.org.id, laid)
  const body = `${from.name}：${message.sn}${laid ? `，已生成${definitionOf(laid.kind).title}${laid.sn}` : ''}`
  await leaveMessage(tx, session.org.id, {
    title: text.title,
    body,
    uri: text.uri,
    objectId: laid?.sn ?? message.sn,
    kind: kindShownTo(session.org.type, [laid?.kind, text.uri, message.kind]),
    extra: { salesOrderSn: laid?.sn ?? null, org_name: from.name, kind: laid?.kind ?? message.kind },
    ...place,
  })
}

/** Whose stores and department a paper concerns: whoever is bound to others is not told of it. */
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
