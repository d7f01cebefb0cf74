import { today } from '#kernel/values/date.ts'
import type { Regime } from '#kernel/definition/document.ts'
import { add, type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { buildDraft, definitionOf, saveDraft } from '#server/public/drafts.ts'
import {
  loadDocuments,
  patchDocument,
  type StoredDocument,
  type StoredLine,
  updateDocument,
} from '#server/public/documents.ts'
import { requirePermission, systemSession } from '#server/public/session.ts'

const KIND = 'salesOrder'

/** Today's untouched refill order for this hospital: further uses are added to it. */
async function openRefill({ tx, session, doc }: ActionContext, regime: Regime): Promise<StoredDocument | null> {
  const [row] = await tx<{ id: string }[]>`
    select id from document
     where org_id = ${session.org.id} and kind = ${KIND} and role = 'own' and state = 'draft' and created_by = 0
       and not touched
       and counterparty_id = ${doc.counterparty_sn} and business_date = ${today()} and regime = ${regime}
         and fields->>'order_type' = 'refill' order by id limit 1 for update`
  if (!row) return null
  const [found] = await loadDocuments(tx, session.org.id, [row.id])
  return found!
}

/** The goods to replace now: the lines of the report, less those that were reversed. */
async function usedUp({ tx, session, doc }: ActionContext): Promise<StoredLine[]> {
  const reds = await tx<{ id: string }[]>`
    select id from document where org_id = ${session.org.id} and red_of_id = ${doc.id} and role = 'counterparty'`
  const docs = await loadDocuments(
    tx,
    session.org.id,
    reds.map(red => red.id),
  )
  return [doc, ...docs].flatMap(document => document.lines)
}

/** The quantity of each model needed, in addition to what an open order already covers. */
function wantedOf(before: StoredDocument | null, used: readonly StoredLine[]): Map<string, Decimal> {
  const wanted = new Map<string, Decimal>()
  const count = ({ specification_sn, base_quantity }: StoredLine) => {
    if (specification_sn) wanted.set(specification_sn, add(wanted.get(specification_sn) ?? '0', base_quantity, 3))
  }
  used.forEach(count)
  for (const [specification, quantity] of wanted) if (!isPositive(quantity)) wanted.delete(specification)
  if (wanted.size > 0) before?.lines.forEach(count)
  return wanted
}

/** One draft order for what was used under one regime; null if nothing is missing. */
async function orderOf(ctx: ActionContext, regime: Regime, used: readonly StoredLine[]): Promise<string | null> {
  const { tx, session, doc } = ctx
  const before = await openRefill(ctx, regime)
  const wanted = wantedOf(before, used)
  if (wanted.size === 0) return null
  const definition = definitionOf(KIND)
  const organisation = systemSession(session.org)
  const header = { counterparty_sn: doc.counterparty_sn, regime, order_type: 'refill', is_urgent: false }
  const lines = [...wanted].map(([specification_sn, quantity], at) => ({ line_no: at + 1, specification_sn, quantity }))
  const draft = await buildDraft(tx, organisation, definition, { ...header }, lines)
  if (!before) return saveDraft(tx, organisation, definition, draft, 'draft', `来自使用记录${doc.sn}`)
  await updateDocument(tx, organisation, definition, before.id, draft.header, draft.lines, 'author')
  // Written by the hospital itself, it goes on by itself while nobody touched it.
  await patchDocument(tx, session, before, { touched: false }, 'withAction')
  return before.sn
}

/**
 * 生成补货销售订单: what a hospital used of our goods is summed by model into one draft order, in base units at its sale
 * price; it is supplied as it was before, on consignment or sold. The usage report records which order.
 */
export async function refillOrder(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  requirePermission(session, `${KIND}.add`)
  const used = await usedUp(ctx)
  const isOurs = (line: StoredLine) => !line.owner_org_sn || line.owner_org_sn === session.org.id
  const sns = [
    await orderOf(ctx, 'consigned', used.filter(isOurs)),
    await orderOf(
      ctx,
      'purchased',
      used.filter(line => line.owner_org_sn === doc.counterparty_sn),
    ),
  ].filter(sn => sn !== null)
  if (sns.length === 0) throw new BusinessError('rule', '该使用记录没有需要补货的数量')
  await patchDocument(tx, session, doc, { replenish_sn: sns.join('、') }, 'withAction')
}
