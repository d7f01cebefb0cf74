import { byName } from '#server/public/documents.ts'
import { absolute, compare, type Decimal, isNegative, isPositive, isZero, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'

type Blue = { id: string; sn: string; amount: Decimal; red: Decimal; applied: Decimal; paid: Decimal }

/** The blue invoice named by a red one, with its reversed and paid amounts. */
async function blueOf({ tx, session, doc }: ActionContext): Promise<Blue | undefined> {
  const { blue_invoice_no } = byName(doc)
  const [blue] = await tx<Blue[]>`
    select b.id, b.sn, b.taxed_amount as amount,
           coalesce((select sum(r.taxed_amount) from document r where r.org_id = b.org_id and r.kind = b.kind
             and r.role = 'own' and r.id <> ${doc.id} and r.state in ('reviewed', 'partial', 'completed')
             and (r.red_of_id = b.id
               or (r.fields->>'is_red' = 'true' and r.red_of_id is null
               and r.fields->>'blue_invoice_no' = b.fields->>'invoice_no' and r.counterparty_id = b.counterparty_id))),
               0)::numeric(18,2) as red,
           coalesce((select g.taken from line_progress g where g.org_id = b.org_id and g.document_id = b.id
             and g.line_no = 0 and g.purpose = 'apply'), 0)::numeric(18,2) as applied,
           coalesce((select g.taken from line_progress g where g.org_id = b.org_id and g.document_id = b.id
             and g.line_no = 0 and g.purpose = 'pay'), 0)::numeric(18,2) as paid
      from document b
     where b.org_id = ${session.org.id} and b.kind = ${doc.kind} and b.role = 'own' and b.red_of_id is null
       and b.counterparty_id = ${doc.counterparty_sn}
       and b.state in ('reviewed', 'partial', 'completed') and b.fields->>'invoice_no' = ${String(blue_invoice_no)}
         and coalesce(b.fields->>'is_red', 'false') <> 'true' limit 1`
  return blue
}

const settledFirst = (kind: string): string =>
  kind === 'inboundInvoice' ? '发票已付款，请先办理退款或转预付' : '发票已收款，请先办理退款或转预收'

/** A red invoice reverses the unpaid remainder of a blue one: its amount is negative, and never more than is left. */
export async function refuseWrongRed(ctx: ActionContext): Promise<void> {
  const { doc } = ctx
  if (byName(doc).is_red !== true) {
    if (isNegative(doc.taxed_amount) && doc.lines.every(line => isNegative(line.taxed_amount)) && !doc.source_sn)
      throw new BusinessError('rule', '金额为负的发票请勾选红字发票，并填写对应的蓝字发票号码')
    return
  }
  if (isZero(doc.taxed_amount) || isPositive(doc.taxed_amount))
    throw new BusinessError('rule', '红字发票的金额应为负数')
  const blue = await blueOf(ctx)
  if (!blue) {
    const msg = `没有找到已审核的蓝字发票${String(byName(doc).blue_invoice_no)}，请核对号码`
    throw new BusinessError('rule', msg, [{ field: 'blue_invoice_no', msg }])
  }
  const [taken, left] = [absolute(doc.taxed_amount), subtract(blue.amount, absolute(blue.red), 2)]
  if (compare(taken, left) > 0) throw new BusinessError('rule', `红字发票金额不能大于原发票：${blue.sn}可红冲${left}元`)
  if (compare(taken, subtract(left, blue.paid, 2)) > 0) throw new BusinessError('rule', settledFirst(doc.kind))
  if (compare(taken, subtract(left, blue.applied, 2)) > 0)
    throw new BusinessError('rule', `发票${blue.sn}已申请付款，请先撤回付款申请`)
}

/** Refuses to reverse a settled invoice: the money must go back first, or become money in advance. */
export async function refuseSettledReversal({ tx, session, doc }: ActionContext): Promise<void> {
  const settled = await tx`
    select 1 from line_progress where org_id = ${session.org.id} and document_id = ${doc.id} and line_no > 0
       and purpose = 'pay' and taken <> 0 limit 1`
  if (settled.length > 0) throw new BusinessError('blocked', settledFirst(doc.kind))
}

/** Returned goods may only have red lines: blue ones would invoice them twice. */
export async function refuseBlueOverReturns({ tx, session, doc, definition }: ActionContext): Promise<void> {
  const kinds = (definition.sourcing.sources ?? []).filter(take => take.negates).map(take => take.from)
  const ids = doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : []))
  const rows = await tx<{ id: string; sn: string }[]>`
    select id, sn from document where org_id = ${session.org.id} and kind = any(${kinds})
      and id = any(${ids}::bigint[])`
  const returns = new Map(rows.map(row => [row.id, row.sn]))
  const wrong = doc.lines.find(line => returns.has(line.source_document_id ?? '') && !isNegative(line.quantity))
  if (!wrong) return
  const msg = `第${wrong.line_no}行：退货单${returns.get(wrong.source_document_id!)}的开票数量应为负数`
  throw new BusinessError('rule', msg, [{ line: wrong.line_no, field: 'quantity', msg }])
}
