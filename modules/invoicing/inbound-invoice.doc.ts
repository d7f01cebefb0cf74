import { defineDocument } from '#kernel/document.ts'
import { f } from '#kernel/field.ts'
import { postingLifecycle } from '#kernel/lifecycle.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { everyLineHasSource, hasLines, invoiceNumber, needs, notInFuture, notRecorded, redNamesBlue, someQuantity } from '#modules/guards.ts'
import { invoiceFields, invoiceLines, underInvoice } from '#modules/invoicing/invoices.ts'
import { recording } from '#modules/vouchers.ts'

const life = postingLifecycle({
  submit: [
    hasLines, needs('counterparty_sn', '请选择供应商'), needs('invoice_no', '请填写发票号码'), invoiceNumber, someQuantity,
    everyLineHasSource('发票明细请选择入库单或结算入库单'), notInFuture('invoice_date', '开票日期不能晚于今天'), redNamesBlue,
  ],
  review: [needs('invoice_no', '请填写发票号码'), invoiceNumber],
})

/** 进项发票: the supplier's invoice over what was received. What was estimated as owed becomes owed under an invoice, and may be paid. */
export const inboundInvoice = defineDocument({
  kind: 'inboundInvoice', title: '进项发票', prefix: 'JX', family: 'finance', keptBy: 'HDV', billType: 'GRN_INVOICE', goods: 'named',
  main: 'pay', derives: { pay_state: 'pay' }, begins: { pay_state: 'apply' }, stateNames: { partial: '部分付款', completed: '已付款' },
  header: {
    counterparty_sn: f.ref('供应商', 'organisation', { required: true, narrow: { relation: 'supplier' } }),
    ...invoiceFields,
    due_date: f.day('到期付款日'),
    certify_state: f.pick('认证状态', { none: '未认证', chosen: '已勾选', certified: '已认证', excluded: '不抵扣' }),
    certify_period: f.text('认证所属期', { max: 7, match: /^\d{4}-\d{2}$/, matchMsg: '认证所属期格式为 2026-01' }),
    difference_reason: f.text('差异原因', { max: 200 }),
    handler_inner_sn: f.ref('经办人', 'employee'),
    business_date: f.day('登记日期'),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('发票原件'),
  },
  lines: invoiceLines,
  takes: [
    { from: 'purchaseGrn', for: 'grn', sourceType: sourceTypes.GRN, purpose: 'invoice', many: true, regime: 'purchased', beside: ['return'] },
    {
      from: 'settlementGrn', for: 'settlementGrn', sourceType: sourceTypes.SETTLEMENT_GRN, purpose: 'invoice', many: true,
      upward: [{ link: 'source', purpose: 'invoice' }],
    },
  ],
  actions: {
    ...life,
    unreview: { ...life.unreview, guards: [notRecorded('发票已记账，不能反审核')] },
    redReverse: { ...life.redReverse, guards: [notRecorded('发票已记账，请先取消记账')] },
    record: { ...recording.record, guards: [notRecorded('发票已记账')] },
    unrecord: recording.unrecord,
    certify: { label: '勾选认证', from: ['reviewed', 'partial', 'completed'], to: null, asks: ['certify_state', 'certify_period'] },
  },
  posts: doc => ({ entries: underInvoice(doc, 'payable_estimated', 'payable_invoiced') }),
  screens: [
    {
      route: '/commonView/invoiceManage/businessPeople/systemInvoice/inbound', title: '进项发票登记', orgs: 'HDV', menu: '发票管理', purpose: '按入库明细登记供应商发票，未登记的即为暂估',
      columns: ['sn', 'counterparty_sn', 'invoice_type', 'invoice_code', 'invoice_no', 'invoice_date', 'untaxed_amount', 'tax_amount', 'taxed_amount', 'invoice_amount', 'is_red', 'created_by_name', 'business_date', 'reviewed_by_name', 'record_state', 'pay_state', 'state'],
      filters: ['sn', 'counterparty_sn', 'invoice_no', 'invoice_type', 'invoice_date', 'source_sn', 'specification_sn', 'is_red', 'pay_state', 'state'],
      actions: ['add', 'edit', 'del', 'submit', 'unsubmit', 'redReverse', 'cancel'],
    },
    {
      route: '/commonView/financeStaff/systemInvoice/inboundAndOutbound', title: '进销项发票（财务）', orgs: 'HDV', menu: '财务管理', purpose: '财务审核已登记的发票，记账并勾选认证',
      columns: ['sn', 'counterparty_sn', 'invoice_type', 'invoice_no', 'invoice_date', 'untaxed_amount', 'tax_amount', 'taxed_amount', 'invoice_amount', 'certify_state', 'certify_period', 'voucher_no', 'record_state', 'created_by_name', 'state'],
      filters: ['sn', 'counterparty_sn', 'invoice_no', 'invoice_date', 'accounting_period', 'certify_state', 'record_state', 'state'],
      states: ['submitted', 'reviewed', 'partial', 'completed', 'reversed'], actions: ['review', 'reject', 'unreview', 'record', 'unrecord', 'certify'],
    },
    {
      route: '/hospital/settlementInvoiceCheck', title: '结算发票核对', orgs: 'H', menu: '结算管理', purpose: '核对供应商对结算开具的发票，审核即校验通过，不符则退回',
      columns: ['sn', 'state', 'counterparty_sn', 'invoice_type', 'invoice_code', 'invoice_no', 'invoice_date', 'untaxed_amount', 'tax_amount', 'taxed_amount', 'invoice_amount', 'source_sn', 'difference_reason', 'created_at', 'reviewed_by_name', 'reviewed_at', 'pay_state'],
      filters: ['state', 'counterparty_sn', 'invoice_no', 'invoice_code', 'invoice_date', 'source_sn', 'pay_state'],
      where: { source_type: String(sourceTypes.SETTLEMENT_GRN) }, states: ['submitted', 'rejected', 'reviewed', 'partial', 'completed'], actions: ['review', 'unreview', 'reject', 'record'],
    },
  ],
})
