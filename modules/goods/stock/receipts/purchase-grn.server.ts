import { patchDocument, stateAhead, type TypedDocument } from '#server/public/documents.ts'
import { purchaseGrn } from '#modules/goods/stock/receipts/purchase-grn.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { pushDocument } from '#modules/hospital/his/receipts/push-document.server.ts'
import { isOfOperation } from '#modules/goods/stock/receipts/receipt-moves.ts'
import { receiptsOfUses } from '#modules/goods/stock/receipts/receipts-of-uses.server.ts'
import { keepOperation, refuseUnfitOperation } from '#modules/goods/stock/receipts/operation-receipt.server.ts'
import { receiptSheet } from '#modules/goods/stock/receipts/receipt-print.server.ts'
import { needsFirstApproval } from '#modules/base/checks/initial-approval.server.ts'
import { refuseBeyondOnce } from '#modules/base/checks/one-time-purchase-limit.server.ts'
import { refuseSentToWard, sendToWards } from '#modules/goods/stock/receipts/direct-to-ward.server.ts'
import { needsReasons, notifySuppliers } from '#modules/goods/stock/receipts/receipt-shortage.server.ts'
import {
  needsFirstInvoices,
  readFirstInvoices,
  withFirstInvoices,
} from '#modules/goods/stock/receipts/first-invoice.server.ts'
import { grantOn, sellOn } from '#modules/goods/stock/receipts/resell-on-receipt.server.ts'
import { needsUdi } from '#modules/goods/stock/receipts/udi-required.server.ts'
import { fetchWaiting } from '#modules/goods/stock/receipts/fetch-pending-receipts.server.ts'
import { expectedLines, expectedQuantity } from '#modules/goods/stock/receipts/expected-receipts.server.ts'
import { createSystemDraft } from '#server/public/drafts.ts'

type Context = ContextOf<typeof purchaseGrn>

/**
 * Receipts by hand only if the organisation allows them; where goods are inspected first, only of what passed
 * inspection.
 */
function needsSource(ctx: ActionContext): void {
  // Goods that an operation used were counted before it, so they need neither order nor inspection.
  if (isOfOperation(ctx.doc)) return
  if (ctx.settings.arrival_before_receipt && ctx.doc.source_type !== sourceTypes.ARRIVAL_RECORD)
    throw new BusinessError('rule', '本机构采购入库前须到货验收，请引用验收单')
  if (!ctx.settings.receipt_without_order && ctx.doc.source_type === sourceTypes.NONE)
    throw new BusinessError('rule', '请引用采购订单或验收单')
}

/** Every coded piece that arrived of a delivery must be scanned, and no code that was not sent. */
async function needsSentCodes({ tx, session, doc }: ActionContext): Promise<void> {
  const lines = doc.lines.filter(line => line.delivery_document_id && isPositive(line.base_quantity))
  if (lines.length === 0) return
  const sent = await tx<{ document_id: string; line_no: number; unit_codes: string[] }[]>`
    select document_id, line_no, unit_codes from document_line
     where org_id = ${session.org.id} and document_id = any(${lines.map(line => line.delivery_document_id!)}::bigint[])
       and unit_codes <> '{}'`
  for (const line of lines) {
    const delivery = sent.find(
      row => row.document_id === line.delivery_document_id && row.line_no === line.delivery_line_no,
    )
    if (!delivery) continue
    const name = `第${line.line_no}行【${line.product_name ?? ''}】`
    const outsider = line.unit_codes.find(code => !delivery.unit_codes.includes(code))
    const msg =
      line.unit_codes.length === 0
        ? `${name}请扫描实际收到的院内码`
        : outsider
          ? `该条码不在本次收货清单内：${outsider}`
          : null
    if (msg) throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'unit_codes', msg }])
  }
}

/** Creates a draft scrap document, at posting, for goods that inspection found unqualified and to be destroyed. */
async function createScrap(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
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
  await stateAhead(ctx, 'reviewed')
  await createSystemDraft(tx, session, 'scrap', header, lines)
}

/**
 * The expected quantity is kept on the receipt as of its submission; later receipts of the same source change
 * nothing.
 */
async function keepExpected({
  tx,
  session,
  doc,
}: ContextOf<typeof purchaseGrn>): Promise<TypedDocument<typeof purchaseGrn>> {
  const [row] = await tx<{ quantity: string | null; lines: number }[]>`
    select ${expectedQuantity(tx)} as quantity, ${expectedLines(tx)} as lines
      from document d where d.org_id = ${session.org.id} and d.id = ${doc.id}`
  const expected = row!.quantity === null ? {} : { expected_quantity: row!.quantity, expected_count: row!.lines }
  await patchDocument(tx, session, doc, { expected_quantity: null, expected_count: null, ...expected }, 'withAction')
  return { ...doc, ...expected }
}

export const purchaseGrnRules = documentHooks(purchaseGrn, {
  afterSave: keepOperation,
  printFields: receiptSheet,
  calls: { fetch: fetchWaiting, fromUse: receiptsOfUses },
  prepare: { submit: async ctx => withFirstInvoices(ctx, await keepExpected(ctx)) },
  validate: {
    submit: [
      refuseUnfitOperation,
      needsSource,
      needsSentCodes,
      needsUdi,
      needsReasons,
      needsFirstInvoices,
      needsFirstApproval,
      // Ordered goods were already counted with their order.
      ctx => refuseBeyondOnce(ctx, line => !line.order_document_id && ctx.doc.source_type !== sourceTypes.ORDER_PO),
    ],
    review: [needsFirstApproval, refuseUnfitOperation],
    unreview: refuseSentToWard,
  },
  afterAction: {
    review: async ctx => {
      await createScrap(ctx)
      await sendToWards(ctx)
      await notifySuppliers(true)(ctx)
    },
    unreview: notifySuppliers(false),
    toSale: sellOn,
    toGrant: grantOn,
    pushHis: pushDocument,
    readFirstInvoices,
  },
})
