import { today } from '#kernel/day.ts'
import { add, type Decimal, isPositive } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { composeDraft, storeDraft } from '#server/engine/documents/draft.ts'
import { loadDocuments } from '#server/engine/documents/load.ts'
import { definitionOf } from '#server/engine/documents/source-lines.ts'
import type { StoredDoc } from '#server/engine/documents/stored.ts'
import { updateDocument } from '#server/engine/documents/write.ts'
import { mustBeAllowed, systemSession } from '#server/engine/session.ts'

const KIND = 'salesOrder'

/** Today's refill of this hospital that nobody has touched: further uses join it. */
async function openRefill({ tx, session, doc }: Acting): Promise<StoredDoc | null> {
  const [row] = await tx<{ id: string }[]>`
    select id from document
     where org_id = ${session.org.id} and kind = ${KIND} and role = 'own' and state = 'draft' and created_by = 0 and not touched
       and counterparty_id = ${doc.counterparty_sn} and business_date = ${today()} and fields->>'order_type' = 'refill' order by id limit 1 for update`
  if (!row) return null
  const [found] = await loadDocuments(tx, session.org.id, [row.id])
  return found!
}

/**
 * 生成补货销售订单: what a hospital used of our goods is summed by model into one draft of an order, in base units at its selling
 * price; it goes out on consignment again. The report of use remembers which.
 */
export async function refillOrder(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  mustBeAllowed(session, `${KIND}.add`)
  const before = await openRefill(acting)
  const wanted = new Map<string, Decimal>()
  for (const line of [...(before?.lines ?? []), ...doc.lines])
    if (line.specification_sn && isPositive(line.base_quantity))
      wanted.set(line.specification_sn, add(wanted.get(line.specification_sn) ?? '0', line.base_quantity, 3))
  if (wanted.size === 0) throw new Refusal('rule', '该使用记录没有需要补货的数量')
  const definition = definitionOf(KIND)
  const house = systemSession(session.org)
  const header = { counterparty_sn: doc.counterparty_sn, regime: 'consigned', order_type: 'refill', is_urgent: false }
  const lines = [...wanted].map(([specification_sn, quantity], at) => ({ line_no: at + 1, specification_sn, quantity }))
  const draft = await composeDraft(tx, house, definition, { ...header }, lines)
  const sn = before?.sn ?? (await storeDraft(tx, house, definition, draft, 'draft', `来自使用记录${doc.sn}`))
  if (before) {
    await updateDocument(tx, session.org.id, definition, before.id, draft.header, draft.lines)
    await tx`update document set touched = false where org_id = ${session.org.id} and id = ${before.id}`
  }
  await tx`
    update document set fields = fields || ${tx.json({ replenish_sn: sn })} where org_id = ${session.org.id} and id = ${doc.id}`
}
