import { Refusal } from '#kernel/refusal.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'

/** Receipts by hand only where the organisation allows them. */
async function needsSource(acting: Acting): Promise<void> {
  if (!acting.settings.receipt_without_order && acting.doc.source_type === sourceTypes.NONE)
    throw new Refusal('rule', '请引用采购订单或验收单')
}

/** Of coded pieces that were sent, those that came are scanned: no others, and none without its code. */
async function needsSentCodes({ tx, session, doc }: Acting): Promise<void> {
  const lines = doc.lines.filter(line => line.delivery_document_id)
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

export const purchaseGrnRules: DocumentRules = {
  kind: 'purchaseGrn',
  before: {
    submit: async acting => {
      await needsSource(acting)
      await needsSentCodes(acting)
    },
  },
}
