import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { Tx } from '#server/public/database.ts'
import { buildDraft, definitionOf, saveDraft } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'

/** The side of an advance: the order it is bound to, and the debts it settles. */
export type Side = {
  readonly advance: 'prepayment' | 'prereceipt'
  readonly order: 'purchaseOrder' | 'salesOrder'
  readonly orderTitle: string
  readonly offset: 'prepaymentOffset' | 'prereceiptOffset'
  readonly refund: 'prepaymentRefund' | 'prereceiptRefund'
  readonly transfer: 'prepaymentTransfer' | 'prereceiptTransfer'
  readonly overOrder: (left: Decimal, whole: Decimal) => string
}
export const supplier: Side = {
  advance: 'prepayment',
  order: 'purchaseOrder',
  orderTitle: '采购订单',
  offset: 'prepaymentOffset',
  refund: 'prepaymentRefund',
  transfer: 'prepaymentTransfer',
  overOrder: left => `预付金额超过订单可预付余额${left}`,
}
export const customer: Side = {
  advance: 'prereceipt',
  order: 'salesOrder',
  orderTitle: '销售订单',
  offset: 'prereceiptOffset',
  refund: 'prereceiptRefund',
  transfer: 'prereceiptTransfer',
  overOrder: (_left, whole) => `预收金额超过订单金额${whole}`,
}

type Balance = { readonly line_no: number; readonly left: Decimal }

/** The rest of an advance's lines: neither used nor refunded. */
export const balanceOf = (tx: Tx, org: string, document: string) => tx<Balance[]>`
  select l.line_no, (l.taxed_amount - coalesce(sum(p.taken), 0))::numeric(18,2) as left
    from document_line l left join line_progress p on p.org_id = l.org_id and p.document_id = l.document_id
      and p.line_no = l.line_no and p.purpose in ('offset', 'refund')
   where l.org_id = ${org} and l.document_id = ${document}
   group by l.line_no, l.taxed_amount having l.taxed_amount > coalesce(sum(p.taken), 0) order by l.line_no`

/** 退款登记: drafts the refund of the rest of an advance. */
export async function draftRefund(
  tx: Tx,
  session: Session,
  side: Side,
  advance: { readonly id: string; readonly sn: string },
): Promise<void> {
  const balances = await balanceOf(tx, session.org.id, advance.id)
  if (balances.length === 0) throw new BusinessError('rule', `${advance.sn}没有可退的余额`)
  const target = definitionOf(side.refund)
  const lines = balances.map(({ line_no, left }) => ({
    source_sn: advance.sn,
    source_line_no: line_no,
    taxed_amount: left,
  }))
  const source_type = side.advance === 'prepayment' ? sourceTypes.ADVANCE_PAYMENT : sourceTypes.ADVANCE_RECEIPT
  const draft = await buildDraft(tx, session, target, { source_sn: advance.sn, source_type }, lines)
  await saveDraft(tx, session, target, draft, 'draft', `来自${definitionOf(side.advance).title}${advance.sn}`)
}
