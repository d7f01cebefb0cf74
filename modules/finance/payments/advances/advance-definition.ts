import { f } from '#kernel/definition/field.ts'
import type { ProgressRules } from '#kernel/definition/document.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'

/** Lines of money given or taken in advance. */
export const advanceLines = (amount: string) =>
  ({
    summary_text: f.text('款项', { max: 100 }),
    taxed_amount: f.amount(amount, { required: true, min: '0.01' }),
    ...remarked,
  }) as const

export const balanceColumns = ['offset_amount', 'refunded_amount', 'unoffset_amount'] as const

/** 未核销余额 = amount − 已核销 − 已退款. `paid`: the balance exists once a payment was made from the document. */
export const advanceProgress = ({ paid }: { readonly paid: boolean }): ProgressRules => ({
  ...(paid ? { main: 'pay' } : {}),
  statuses: { ...(paid ? { pay_state: 'pay' } : {}), offset_state: 'offset' },
  statusLabels: {
    ...(paid ? { pay_state: { label: '付款状态', choices: { 1: '待付款', 2: '部分付款', 3: '已付款' } } } : {}),
    offset_state: { label: '核销状态', choices: { 1: '未核销', 2: '部分核销', 3: '已核销' } },
  },
  columns: {
    ...(paid ? { paid_amount: { label: '已付金额', purpose: 'pay' } } : {}),
    offset_amount: { label: '已核销金额', purpose: 'offset' },
    refunded_amount: { label: '已退款金额', purpose: 'refund' },
    unoffset_amount: { label: '未核销余额', purpose: 'offset', besides: 'refund', rest: true },
  },
})
