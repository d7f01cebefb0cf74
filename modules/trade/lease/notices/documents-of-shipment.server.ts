import { byName, patchDocument, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import { compare, type Decimal, plain, sum } from '#kernel/values/decimal.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { BusinessError, ConfirmationRequired } from '#kernel/rules/errors.ts'
import { codesOf } from '#modules/trade/lease/notices/coded-goods.server.ts'
import { figure, perBaseUnit } from '#modules/trade/lease/notices/notice-checks.server.ts'
import { inPacks } from '#modules/trade/lease/notices/refused-shipment.server.ts'
import { type OpenRow, splitBySource } from '#modules/trade/lease/notices/split-by-source.ts'
import { submitAndReview } from '#server/public/actions.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { sendUpdate } from '#server/public/intercompany.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Runs a step that may be refused, and rolls it back then. Returns the refusal in words, or null. */
async function tried(tx: Tx, work: (inner: Tx) => Promise<unknown>): Promise<string | null> {
  try {
    await tx.savepoint(inner => work(inner as unknown as Tx))
    return null
  } catch (error) {
    if (error instanceof BusinessError || error instanceof ConfirmationRequired) return error.message
    throw error
  }
}

/**
 * The documents by which shipped goods leave the tenant: reviewed by the system, or left to people if something is
 * missing.
 */
async function reviewedOrLeft(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  { kind, title, field }: { readonly kind: string; readonly title: string; readonly field: string },
  drafts: readonly string[],
): Promise<void> {
  const all = [byName(doc)[field], ...drafts].filter(Boolean).join('、').slice(0, 200)
  await patchDocument(tx, session, doc, { [field]: all }, 'derived')
  // The lessor writes the number on its shipment, so that the receiver can match it.
  await sendUpdate(tx, session, doc, [String(byName(doc).lessor_sn)], {
    label: title,
    text: null,
    sets: { [field]: all },
  })
  const refusals: string[] = []
  for (const draft of drafts) {
    const refused = await tried(tx, inner => submitAndReview(inner, session, kind, draft))
    if (refused !== null) refusals.push(`${drafts.length > 1 ? draft : ''}未能自动审核：${refused}`)
  }
  await sendMessage(tx, session.org.id, {
    title: refusals.length === 0 ? `出租方已出库，${title}已完成` : `出租方已出库，请审核${title}`,
    body: [`出库通知${doc.sn}已出库，已生成${title}${drafts.join('、')}`, ...refusals].join('，'),
    uri: kind,
    objectId: drafts[0]!,
    kind,
  })
}

/** A sale becomes the tenant's own delivery. */
export async function issueDelivery(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  lines: readonly StoredLine[],
): Promise<void> {
  const header = {
    counterparty_sn: doc.counterparty_sn,
    warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
    delivery_address: byName(doc).delivery_address ?? null,
    receiver: byName(doc).receiver ?? null,
    receiver_phone: byName(doc).receiver_phone ?? null,
    transport: byName(doc).transport ?? null,
    ...(doc.source_sn ? { source_type: sourceTypes.ORDER_SO, source_sn: doc.source_sn } : {}),
  }
  const sold = lines.map(line => ({
    specification_sn: line.specification_sn,
    lot_no: line.lot_no,
    ...(codesOf(line, 'codes_now').length > 0 ? { unit_codes: codesOf(line, 'codes_now') } : {}),
    quantity: figure(line, 'shipped_now'),
    price: perBaseUnit(line),
    tax_rate: line.tax_rate,
    owner_org_sn: session.org.id,
    ...(line.source_sn
      ? { source_sn: line.source_sn, source_line_no: line.source_line_no, unit_inner_sn: line.specification_sn }
      : {}),
  }))
  const delivery = await createSystemDraft(tx, session, 'saleOdo', header, sold)
  await reviewedOrLeft(tx, session, doc, { kind: 'saleOdo', title: '销售出库单', field: 'delivery_sn' }, [delivery])
}

/** The rest of the receipts of these lots from a supplier that has not gone back yet, the newest first. */
const returnableLines = (tx: Tx, org: string, supplier: string | null, lots: readonly string[]) => tx<OpenRow[]>`
  select d.sn, l.line_no, l.lot_id, (l.base_quantity - coalesce((select sum(g.taken) from line_progress g
          where g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
            and g.purpose in ('return', 'reverse')), 0))::numeric(18,3)::text as left, l.unit_codes, ${inPacks(tx)}
    from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
   where d.org_id = ${org} and d.kind = 'purchaseGrn' and d.role = 'own' and d.red_of_id is null
     and d.state in ('reviewed', 'partial', 'completed') and d.counterparty_id = ${supplier} and d.regime = 'purchased'
     and l.lot_id = any(${[...lots]}::bigint[])
   order by d.id desc, l.line_no`

const lotsOf = (lines: readonly StoredLine[]): string[] => lines.flatMap(line => line.lot_id ?? [])

/** Goods that a notice sends back to a supplier must come from that supplier, by receipts with enough left. */
export async function checkReturnable({ tx, session, doc }: ActionContext): Promise<void> {
  if (byName(doc).notice_type !== 'purchase_return') return
  const open = await returnableLines(tx, session.org.id, doc.counterparty_sn, lotsOf(doc.lines))
  const needed = new Map<string, Decimal>()
  for (const line of doc.lines) {
    const lot = line.lot_id ?? ''
    const all = sum([needed.get(lot) ?? '0', line.base_quantity], 3)
    needed.set(lot, all)
    const left = sum(
      open.filter(row => row.lot_id === lot).map(row => row.left),
      3,
    )
    if (compare(all, left) <= 0) continue
    const msg =
      `第${line.line_no}行：批号${line.lot_no ?? ''}由${String(byName(doc).receiver_name ?? '该供应商')}采购入库的可退数量为` +
      `${plain(left)}，需要${plain(all)}，请核对收货单位和采购入库单`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'quantity', msg }])
  }
}

/** Goods returned to their supplier are booked as returns of the receipts that they came by, lot by lot. */
export async function issueReturns(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  lines: readonly StoredLine[],
): Promise<void> {
  const asked = lines.map(line => ({
    lot_id: line.lot_id,
    quantity: figure(line, 'shipped_now'),
    codes: codesOf(line, 'codes_now'),
  }))
  const parts = splitBySource(asked, await returnableLines(tx, session.org.id, doc.counterparty_sn, lotsOf(lines)))
  const header = {
    source_type: sourceTypes.GRN,
    counterparty_sn: doc.counterparty_sn,
    warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
    return_type: 'other',
    return_reason: byName(doc).return_reason ?? null,
    transport: byName(doc).transport ?? null,
    return_address: byName(doc).delivery_address ?? null,
    contact: byName(doc).receiver ?? null,
    contact_phone: byName(doc).receiver_phone ?? null,
  }
  const drafts: string[] = []
  for (const [source_sn, taken] of parts)
    drafts.push(
      await createSystemDraft(
        tx,
        session,
        'purchaseReturn',
        { ...header, source_sn },
        taken.map(line => ({ ...line, owner_org_sn: session.org.id })),
      ),
    )
  if (drafts.length > 0)
    await reviewedOrLeft(
      tx,
      session,
      doc,
      { kind: 'purchaseReturn', title: '采购退货单', field: 'purchase_return_sns' },
      drafts,
    )
  else
    await sendMessage(tx, session.org.id, {
      title: '出租方已出库，请办理采购退货',
      body: `出库通知${doc.sn}已出库，没有可退的采购入库单，请核对后办理采购退货`,
      uri: 'leaseNoticeOut',
      objectId: doc.sn,
      kind: 'leaseNoticeOut',
    })
}
