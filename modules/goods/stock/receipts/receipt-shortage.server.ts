import type { purchaseGrn } from '#modules/goods/stock/receipts/purchase-grn.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import type { TypedLine } from '#server/public/documents.ts'
import { kindsAdding, kindsOf } from '#kernel/measure/feeding.ts'
import { compare, type Decimal, isPositive, plain, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type ExpectedLine, expectedOfLines } from '#modules/goods/stock/receipts/expected-receipts.server.ts'
import { enqueueMessage } from '#server/public/intercompany.ts'

type Context = ContextOf<typeof purchaseGrn>
type Line = TypedLine<typeof purchaseGrn>

/** Sources that say which goods are to arrive now. Orders promise no day: what did not arrive of one is not missing. */
const promising = () => [...kindsAdding('shipped'), ...kindsOf('inspected')]

const expectMessage = (line: Line): boolean => Boolean(line.reject_reason)

/** The problem with the receipt lines made from one source line; null if all arrived, or the reason is given. */
function silence(due: ExpectedLine, lines: readonly Line[]): BusinessError | null {
  const [first] = lines
  const came = sum(
    lines.map(line => line.base_quantity),
    3,
  )
  if (compare(came, due.expected as Decimal) >= 0 || lines.some(expectMessage)) return null
  const goods = `【${due.product_name}】批号${due.lot_no}`
  const expected = plain(due.expected as Decimal)
  if (!first)
    return new BusinessError('rule', `${goods}应收${expected}，本单没有这一行：请保留该行，数量填0并填写差异原因`)
  const msg = `第${first.line_no}行${goods}应收${expected}，实收${plain(came)}：请填写差异原因`
  return new BusinessError('rule', msg, [{ line: first.line_no, field: 'reject_reason', msg }])
}

/**
 * 差异登记: for anything of a delivery or an inspection that does not arrive, the receipt gives the reason on its line;
 * also for a line that did not arrive at all.
 */
export async function needsReasons({ tx, session, doc }: Context): Promise<void> {
  for (const due of await expectedOfLines(tx, session.org.id, doc.id, promising())) {
    const lines = doc.lines.filter(
      line => line.source_document_id === due.document_id && line.source_line_no === due.line_no,
    )
    const refusal = silence(due, lines)
    if (refusal) throw refusal
  }
}

const noteOf = (line: Line): string => {
  const came = isPositive(line.quantity) ? `实收${plain(line.quantity)}` : '没有收到'
  return `【${line.product_name ?? ''}】批号${line.lot_no ?? ''}${came}：${String(line.reject_reason)}`
}

/**
 * The supplier sees on its delivery why less was received than was sent; when the receipt is undone, that is removed
 * there too.
 */
export const notifySuppliers =
  (stands: boolean) =>
  async ({ tx, session, doc }: Context): Promise<void> => {
    const expected = doc.expected_quantity as Decimal | null | undefined
    if (!expected || compare(doc.total_quantity as Decimal, expected) >= 0) return
    const of = Map.groupBy(doc.lines.filter(expectMessage), line => line.delivery_document_id)
    const deliveries = await tx<{ id: string; sn: string; supplier: string }[]>`
      select id, sn, from_org_id as supplier from document
       where org_id = ${session.org.id} and role = 'counterparty'
         and id = any(${[...of.keys()].filter(id => id !== null)}::bigint[])`
    for (const { id, sn, supplier } of deliveries) {
      const reason = (of.get(id) ?? []).map(noteOf).join('；').slice(0, 500)
      await enqueueMessage(tx, session, supplier, doc.id, {
        message: 'act',
        kind: 'saleOdo',
        sn,
        action: 'short',
        label: stands ? '客户登记收货差异' : '客户撤回收货差异',
        reason,
        actor: session.userName,
        sets: { short_note: stands ? reason : null },
      })
    }
  }
