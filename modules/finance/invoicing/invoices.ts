import { EMAIL } from '#kernel/values/patterns.ts'
import type { CommonHeader, CommonLine } from '#kernel/definition/document.ts'
import { isZero, negate, sum, zero } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import type { Account, Entry } from '#kernel/ledger/posting.ts'
import { invoiceDifference, largestLine, type Has, type Figures } from '#modules/base/vocabulary/validators.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'
import { voucherFields } from '#modules/finance/accounting/voucher-fields.ts'

export const invoiceTypes = {
  e_special: '数电专票',
  e_normal: '数电普票',
  special: '增值税专用发票',
  normal: '增值税普通发票',
} as const

/** Fields of every invoice, of any issuer. */
export const invoiceFields = {
  invoice_type: f.pick('发票类型', invoiceTypes, { default: 'e_special' }),
  invoice_code: f.text('发票代码', { max: 12 }),
  invoice_no: f.text('发票号码', { max: 20 }),
  invoice_date: f.day('开票日期'),
  invoice_amount: f.amount('发票价税合计', { hint: '留空为明细合计；与明细之差记尾差' }),
  is_red: f.flag('是否红字'),
  blue_invoice_no: f.text('对应蓝字发票号码', { max: 20 }),
  first_invoice_no: f.text('第一票发票号码', { max: 40, hint: '两票制产品填写' }),
  ...voucherFields,
} as const

/** The fields of the buyer to whom our invoice is issued, and of its delivery. */
export const buyerFields = {
  buyer_name: f.text('购方名称', { max: 100, partner: 'name' }),
  buyer_tax_no: f.text('购方税号', {
    match: /^[0-9A-Z]{18}$/,
    matchMsg: '购方税号应为18位数字或大写字母',
    partner: 'social_credit_code',
  }),
  buyer_bank: f.text('购方开户行及账号', { max: 120 }),
  buyer_address: f.text('购方地址电话', { max: 120 }),
  buyer_email: f.text('收票邮箱', { max: 100, match: EMAIL, matchMsg: '收票邮箱格式不正确' }),
  buyer_phone: f.text('收票手机', { max: 11, match: /^1\d{10}$/, matchMsg: '收票手机应为11位手机号' }),
} as const

/** 开票状态 of an invoice that a provider issues; empty while nobody requested it (未开票). */
export const issueFields = {
  issue_state: f.pick(
    '开票状态',
    { pending: '待开票', issuing: '开票中', issued: '已开票', failed: '开票失败', reversed: '已红冲' },
    { readOnly: true, tones: { failed: 'danger', issued: 'success', issuing: 'info' } },
  ),
  issue_error: f.text('开票失败原因', { readOnly: true }),
} as const

/** 申请开票 over an invoice that may be issued by a provider: once, after its review. */
export const issueAction = {
  label: '申请开票',
  from: ['reviewed', 'partial', 'completed'],
  to: null,
  tone: 'primary',
} as const
export const askedAlready = ['issuing', 'issued', 'pending', 'failed', 'reversed'] as const

/** Only a special invoice is certified for deduction, in the month of its issue or later. */
export const certifiable = (
  doc: Has<'certify_state' | 'certify_period' | 'invoice_date' | 'invoice_type'>,
): true | string => {
  const { certify_state: state, certify_period: period, invoice_date: day } = doc
  if (!['e_special', 'special'].includes(String(doc.invoice_type))) return '只有专用发票需要勾选认证'
  if (!state) return '请选择认证状态'
  if (state !== 'certified') return true
  if (!period) return '请填写认证所属期'
  return !day || String(period) >= String(day).slice(0, 7) || '认证所属期不能早于开票月份'
}

/** Lines of an invoice: the delivered or received goods, and the quantity that this invoice covers. */
export const invoiceLines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  lot_no: f.lot('批号', { max: 40 }),
  unit_inner_sn: f.ref('单位', 'unitTree'),
  quantity: f.quantity('本次开票数量', { required: true }),
  price: f.price('含税单价', { required: true }),
  tax_rate: f.taxRate('税率'),
  source_amount: f.amount('来源金额', { readOnly: true, hint: '本行数量在来源单上的价税合计' }),
  source_sn: f.text('来源单号'),
  ...remarked,
} as const

type Invoiced = CommonHeader &
  Figures<'invoice_amount'> & { readonly lines: readonly (CommonLine & Figures<'source_amount'>)[] }

/**
 * Turns debt without an invoice into debt under one, line by line: the amount by the source is taken off, the amount by
 * the invoice is added. The invoice amount beyond its lines is owed too. Both differences are booked as 尾差 by
 * themselves: a loss if we pay more than we received for, a gain if the customer does.
 */
export function underInvoice(doc: Invoiced, before: Account, after: Account): Entry[] {
  const largest = largestLine(doc)
  return doc.lines.flatMap((line): Entry[] => {
    const { line_no, taxed_amount: invoiced } = line
    const worth = line.source_amount ?? invoiced
    const beyond = line_no === largest ? invoiceDifference(doc) : zero
    const difference = sum([invoiced, negate(worth), beyond], 2)
    const rounding: Entry = {
      line_no,
      account: 'rounding',
      amount: after === 'payable_invoiced' ? difference : negate(difference),
    }
    return [
      { line_no, account: before, amount: negate(worth) },
      { line_no, account: after, amount: sum([invoiced, beyond], 2) },
      ...(isZero(difference) ? [] : [rounding]),
    ]
  })
}
