import type { BusinessDocument } from '#kernel/definition/document.ts'
import { type Decimal, isZero, negate, sum, zero } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import type { Account, Entry } from '#kernel/ledger/posting.ts'
import { invoiceDifference, largestLine, own } from '#modules/vocabulary/validators.ts'
import { remarked } from '#modules/vocabulary/line-fields.ts'
import { voucherFields } from '#modules/accounting/voucher-fields.ts'

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
  invoice_no: f.text('发票号码', { max: 20, indexed: true }),
  invoice_date: f.day('开票日期'),
  invoice_amount: f.amount('发票价税合计', { hint: '留空为明细合计；与明细之差记尾差' }),
  is_red: f.flag('红字发票'),
  blue_invoice_no: f.text('对应蓝字发票号码', { max: 20 }),
  first_invoice_no: f.text('第一票发票号码', { max: 40, hint: '两票制产品填写' }),
  ...voucherFields,
} as const

/** Only a special invoice is certified for deduction, in the month of its issue or later. */
export const certifiable = (doc: BusinessDocument): true | string => {
  const [state, period, day] = ['certify_state', 'certify_period', 'invoice_date'].map(name => own(doc, name))
  if (!['e_special', 'special'].includes(String(own(doc, 'invoice_type')))) return '只有专用发票需要勾选认证'
  if (!state) return '请选择认证状态'
  if (state !== 'certified') return true
  if (!period) return '请填写认证所属期'
  return !day || String(period) >= String(day).slice(0, 7) || '认证所属期不能早于开票月份'
}

/** Lines of an invoice: what was delivered or received, and how much of it is invoiced by this one. */
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

/**
 * What was owed without an invoice becomes owed under one, line by line: what the source says leaves, what the invoice
 * says comes. The invoice amount beyond its lines is owed too. Both differences are booked as 尾差 by themselves: a
 * loss where we pay more than we received for, a gain where the customer does.
 */
export function underInvoice(doc: BusinessDocument, before: Account, after: Account): Entry[] {
  const largest = largestLine(doc)
  return doc.lines.flatMap((line): Entry[] => {
    const { line_no, taxed_amount: invoiced } = line
    const worth = (own(line, 'source_amount') as Decimal | null | undefined) ?? invoiced
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
