import { defineDocument } from '#kernel/document.ts'
import { f } from '#kernel/field.ts'
import { postingLifecycle } from '#kernel/lifecycle.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { everyLineHasSource, hasLines, invoiceNumber, needs, notInFuture, notRecorded, own, redNamesBlue, someQuantity } from '#modules/guards.ts'
import { invoiceFields, invoiceLines, underInvoice } from '#modules/invoicing/invoices.ts'
import { recording } from '#modules/vouchers.ts'

const life = postingLifecycle({
  submit: [
    hasLines, needs('counterparty_sn', '请选择客户'), invoiceNumber, someQuantity, everyLineHasSource('发票明细请选择出库单或结算单'),
    notInFuture('invoice_date', '开票日期不能晚于今天'), redNamesBlue,
  ],
  review: [needs('invoice_no', '请先登记发票号码'), invoiceNumber],
})

/** 销项发票: our invoice over what was delivered or settled. What was owed without an invoice is owed under one; the customer gets it as his 进项发票. */
export const outboundInvoice = defineDocument({
  kind: 'outboundInvoice', title: '销项发票', prefix: 'XX', family: 'finance', keptBy: 'DV', billType: 'ODO_INVOICE', goods: 'named',
  main: 'pay', derives: { pay_state: 'pay' }, stateNames: { partial: '部分收款', completed: '已收款' },
  header: {
    counterparty_sn: f.ref('客户', 'organisation', { required: true, narrow: { relation: 'customer' } }),
    buyer_name: f.text('购方名称', { max: 100 }),
    buyer_tax_no: f.text('购方税号', { max: 20, match: /^[0-9A-Z]{15,20}$/, matchMsg: '购方税号格式错误' }),
    buyer_bank: f.text('购方开户行及账号', { max: 120 }),
    ...invoiceFields,
    issue_way: f.pick('开票方式', { provider: '电子开票', manual: '手工' }, { default: 'manual' }),
    handler_inner_sn: f.ref('业务员', 'employee'),
    business_date: f.day('申请日期'),
    remark: f.longText('发票备注', { max: 500 }),
    attachments: f.files('发票原件'),
  },
  lines: invoiceLines,
  takes: [
    { from: 'saleOdo', for: 'odo', sourceType: sourceTypes.ODO, purpose: 'invoice', many: true, regime: 'purchased', beside: ['return'] },
    // The hospital counts its receipt as invoiced by its own 进项发票.
    { from: 'settlementGrn', for: 'settlementGrn', sourceType: sourceTypes.SETTLEMENT_GRN, purpose: 'invoice', many: true, foreign: true, quiet: true },
  ],
  actions: {
    ...life,
    manual: {
      label: '登记票号', from: ['submitted'], to: null, asks: ['invoice_type', 'invoice_code', 'invoice_no', 'invoice_date'],
      guards: [needs('invoice_no', '请填写发票号码'), invoiceNumber],
    },
    unreview: { ...life.unreview, guards: [notRecorded('发票已记账，不能反审核')] },
    redReverse: { ...life.redReverse, guards: [notRecorded('发票已记账，请先取消记账')] },
    cancel: { ...life.cancel, guards: [doc => !own(doc, 'invoice_no') || '已开具的发票不能作废，请开具红字发票'] },
    record: { ...recording.record, guards: [notRecorded('发票已记账')] },
    unrecord: recording.unrecord,
  },
  posts: doc => ({ entries: underInvoice(doc, 'receivable_unbilled', 'receivable_invoiced') }),
  sends: [{
    on: 'review', lays: { kind: 'inboundInvoice', state: 'submitted' },
    header: ['invoice_type', 'invoice_code', 'invoice_no', 'invoice_date', 'invoice_amount', 'is_red', 'blue_invoice_no', 'first_invoice_no'],
    message: { title: '收到供应商发票，请核对', uri: 'settlementInvoiceCheck' },
  }],
  screens: [
    {
      route: '/commonView/invoiceManage/businessPeople/systemInvoice/outbound', title: '销项发票登记', orgs: 'DV', menu: '发票管理', purpose: '选择出库明细开票，登记票号后交财务审核',
      columns: ['sn', 'counterparty_sn', 'invoice_type', 'invoice_code', 'invoice_no', 'invoice_date', 'untaxed_amount', 'tax_amount', 'taxed_amount', 'invoice_amount', 'is_red', 'handler_inner_sn', 'issue_way', 'record_state', 'pay_state', 'state'],
      filters: ['sn', 'counterparty_sn', 'invoice_no', 'invoice_type', 'invoice_date', 'source_sn', 'specification_sn', 'handler_inner_sn', 'pay_state', 'state'],
    },
    {
      route: '/commonView/hospitalSettlementInvoice', title: '医院结算发票', orgs: 'DV', menu: '结算管理', purpose: '对已确认并入库的医院结算开票，送医院核对',
      columns: ['sn', 'counterparty_sn', 'source_sn', 'taxed_amount', 'invoice_amount', 'invoice_type', 'invoice_no', 'invoice_date', 'untaxed_amount', 'tax_amount', 'pay_state', 'business_date', 'reviewed_at', 'state'],
      filters: ['sn', 'counterparty_sn', 'source_sn', 'invoice_no', 'invoice_date', 'pay_state', 'state'],
      where: { source_type: String(sourceTypes.SETTLEMENT_GRN) },
    },
  ],
})
