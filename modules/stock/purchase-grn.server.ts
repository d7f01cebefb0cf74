import { type Decimal, isPositive } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { receiptSheet } from '#modules/receipt-sheet.server.ts'
import { needsFirstApproval } from '#modules/first-approval.server.ts'
import { refuseBeyondOnce } from '#modules/one-off.server.ts'
import { refuseSentToWard, sendToWards } from '#modules/stock/direct-ward.server.ts'
import { needsReasons, tellSuppliers } from '#modules/stock/short-receipt.server.ts'
import { needsFirstInvoices, withFirstInvoices } from '#modules/stock/first-invoice.server.ts'
import { grantOn, sellOn } from '#modules/stock/sold-on.server.ts'
import { needsUdi } from '#modules/stock/udi-on-file.server.ts'
import { fetchWaiting } from '#modules/stock/waiting-receipts.server.ts'
import type { Acting, DocumentRules } from '#server/public/hooks.ts'
import { awaitedLines, awaitedQuantity } from '#modules/stock/expected-receipts.server.ts'
import { lay } from '#server/public/drafts.ts'
import type { StoredDoc } from '#server/public/documents.ts'

/** Receipts by hand only where the organisation allows them; where goods are inspected first, of what passed inspection alone. */
function needsSource(acting: Acting): void {
  if (acting.settings.arrival_before_receipt && acting.doc.source_type !== sourceTypes.ARRIVAL_RECORD)
    throw new Refusal('rule', '本机构采购入库前须到货验收，请引用验收单')
  if (!acting.settings.receipt_without_order && acting.doc.source_type === sourceTypes.NONE)
    throw new Refusal('rule', '请引用采购订单或验收单')
}

/** Of coded pieces that were sent, those that came are scanned: no others, and none without its code. */
async function needsSentCodes({ tx, session, doc }: Acting): Promise<void> {
  const lines = doc.lines.filter(line => line.delivery_document_id && isPositive(line.base_quantity))
  if (lines.length === 0) return
  const sent = await tx<{ document_id: string; line_no: number; unit_codes: string[] }[]>`
    select document_id, line_no, unit_codes from document_line
     where org_id = ${session.org.id} and document_id = any(${lines.map(line => line.delivery_document_id!)}::bigint[]) and unit_codes <> '{}'`
  for (const line of lines) {
    const delivery = sent.find(
      row => row.document_id === line.delivery_document_id && row.line_no === line.delivery_line_no,
    )
    if (!delivery) continue
    const name = `第${line.line_no}行【${line.product_name ?? ''}】`
    const stranger = line.unit_codes.find(code => !delivery.unit_codes.includes(code))
    const msg =
      line.unit_codes.length === 0
        ? `${name}请扫描实际收到的院内码`
        : stranger
          ? `该条码不在本次收货清单内：${stranger}`
          : null
    if (msg) throw new Refusal('rule', msg, [{ line: line.line_no, field: 'unit_codes', msg }])
  }
}

/** What inspection found bad and fit for nothing but destruction waits to be scrapped as soon as it is in the books. */
async function layScrap({ tx, session, doc }: Acting): Promise<void> {
  const bad = doc.lines.filter(
    line => line.disposition === 'destroy' && isPositive((line.unqualified_quantity as Decimal | null) ?? '0'),
  )
  if (bad.length === 0) return
  const lines = bad.map(line => ({
    source_line_no: line.line_no,
    quantity: line.unqualified_quantity,
    quality_state: 'unqualified',
    line_reason: '验收不合格',
  }))
  const header = {
    source_sn: doc.sn,
    source_type: sourceTypes.GRN,
    scrap_type: 'unqualified',
    scrap_reason: '验收不合格，处置措施为销毁',
  }
  await tx`update document set state = 'reviewed' where org_id = ${session.org.id} and id = ${doc.id}`
  await lay(tx, session, 'scrap', header, lines)
}

/** What the receipt had to bring stands on it as it was when it was handed in; later receipts of the same source change nothing. */
async function keepExpected({ tx, session, doc }: Acting): Promise<StoredDoc> {
  const [row] = await tx<{ quantity: string | null; lines: number }[]>`
    select ${awaitedQuantity(tx)} as quantity, ${awaitedLines(tx)} as lines
      from document d where d.org_id = ${session.org.id} and d.id = ${doc.id}`
  const expected = row!.quantity === null ? {} : { expected_quantity: row!.quantity, expected_count: row!.lines }
  await tx`
    update document set fields = fields - 'expected_quantity' - 'expected_count' || ${tx.json(expected)}
     where org_id = ${session.org.id} and id = ${doc.id}`
  return { ...doc, ...expected }
}

export const purchaseGrnRules: DocumentRules = {
  kind: 'purchaseGrn',
  print: receiptSheet,
  calls: { fetch: fetchWaiting },
  prepare: { submit: async acting => withFirstInvoices(acting, await keepExpected(acting)) },
  before: {
    submit: async acting => {
      needsSource(acting)
      await needsSentCodes(acting)
      await needsUdi(acting)
      await needsReasons(acting)
      await needsFirstInvoices(acting)
      await needsFirstApproval(acting)
      // What was ordered was counted when it was.
      await refuseBeyondOnce(acting, line => !line.order_document_id && acting.doc.source_type !== sourceTypes.ORDER_PO)
    },
    review: needsFirstApproval,
    unreview: refuseSentToWard,
  },
  after: {
    review: async acting => {
      await layScrap(acting)
      await sendToWards(acting)
      await tellSuppliers(true)(acting)
    },
    unreview: tellSuppliers(false),
    toSale: sellOn,
    toGrant: grantOn,
  },
}
