import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { MONTH } from '#kernel/values/date.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { turnedMoney } from '#modules/finance/accounting/turned-money.ts'
import { needs } from '#modules/base/vocabulary/validators.ts'
import {
  financeColumns,
  financeFilters,
  financePage,
  invoiceLifecycle,
  invoices,
  invoicesGoods,
  invoiceSums,
  overReturns,
  registeredColumns,
  registeredFilters,
} from '#modules/finance/invoicing/invoice-definition.ts'
import { certifiable, invoiceFields, invoiceLines, underInvoice } from '#modules/finance/invoicing/invoices.ts'

/** 三单匹配: order, receipt and invoice agree within what the organisation allows, or a second person agreed. */
const matchStates = { within: '容差内', beyond: '超出容差', approved: '差异已审核' } as const

const numbered = needs('invoice_no', '请填写发票号码')

const header = {
  counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
  ...invoiceFields,
  check_code: f.text('校验码', { max: 20, match: /^\d{6,20}$/, matchMsg: '校验码应为6至20位数字' }),
  buyer_name: f.text('购买方名称', { max: 100 }),
  buyer_tax_no: f.text('购买方税号', { max: 20 }),
  due_date: f.day('到期付款日', { readOnly: true }),
  certify_state: f.pick(
    '认证状态',
    { none: '未认证', chosen: '已勾选', certified: '已认证', excluded: '不抵扣' },
    { dialogOnly: true },
  ),
  certify_period: f.text('认证所属期', {
    max: 7,
    match: MONTH,
    matchMsg: '认证所属期格式为 2026-01',
    dialogOnly: true,
    hint: '已认证的税额在所属期的记账凭证里由待认证进项税额转入进项税额',
  }),
  certified_on: f.day('认证日期', { dialogOnly: true, hint: '留空为今天' }),
  certified_by: f.text('认证人', { readOnly: true, dialogOnly: true }),
  tax_transfer_out: f.flag('进项税额转出', { readOnly: true }),
  check_result: f.pick('核对结果', { agrees: '核对一致', confirmed: '差异已确认' }, { readOnly: true }),
  difference_reason: f.text('差异原因', { max: 200 }),
  match_state: f.pick('三单匹配', matchStates, {
    readOnly: true,
    tones: { within: 'success', beyond: 'danger', approved: 'info' },
  }),
  match_note: f.longText('匹配差异', { readOnly: true }),
  match_approved_by: f.text('差异审核人', { readOnly: true }),
  match_opinion: f.text('差异审核意见', { readOnly: true }),
  unchecked: f.longText('识别时未核对', { readOnly: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('登记日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('发票原件'),
}
const lines = {
  ...invoiceLines,
  order_price: f.price('订单单价', { readOnly: true, hint: '按本行单位' }),
  price_gap: f.rate('价格差异', { readOnly: true, hint: '开票单价与订单单价之差，没有订单的与入库单价比较' }),
}
type Doc = DocOf<typeof header, typeof lines>

const life = invoiceLifecycle<Doc>({
  partner: '供应商',
  sources: '入库单或结算入库单',
  required: [numbered],
  numbered,
  rejectReason: '请填写退回原因',
})

/** The columns of the debt under an invoice: amount, due date, and how far payment is applied for and made. */
const dueColumns = [
  'sn',
  'counterparty_sn',
  'invoice_type',
  'invoice_no',
  'invoice_date',
  'taxed_amount',
  'rounding',
  'applied_amount',
  'unapplied_amount',
  'paid_amount',
  'unpaid_amount',
  'due_date',
  'pay_state',
  'source_sn',
  'reviewed_at',
] as const

/**
 * 进项发票: the supplier's invoice over received goods. The estimated payable becomes a payable under an invoice, and may
 * be paid.
 */
export const inboundInvoice = defineDocument({
  kind: 'inboundInvoice',
  title: '进项发票',
  numberPrefix: 'JX',
  category: 'finance',
  ownerTypes: 'HDV',
  facts: { billed: 1 },
  externalType: 'GRN_INVOICE',
  header,
  lines,
  pricing: { typedAmounts: true },
  actions: {
    ...life,
    redReverse: { ...life.redReverse, blockedMessage: '发票已申请付款或收款，不能红冲' },
    approveMatch: {
      label: '差异审核',
      from: ['submitted'],
      to: null,
      requiresReason: '请填写差异审核意见',
      notByAuthor: true,
      unavailableWhen: { match_state: ['approved'] },
    },
    ...turnedMoney('预付'),
    certify: {
      label: '勾选认证',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      inputs: ['certify_state', 'certify_period', 'certified_on'],
      guards: [certifiable],
    },
  },
  lifecycle: {
    stateLabels: { partial: '部分付款', completed: '已付款' },
    listActions: {
      readInvoice: {
        label: '识别发票',
        inputs: {
          files: f.files('发票文件', {
            required: true,
            hint: 'PDF、OFD、XML，或发票二维码的照片；每个文件生成一张草稿',
          }),
          counterparty_sn: f.ref('供应商', 'organisation', {
            optionsFilter: { relation: 'supplier' },
            hint: '留空为发票上的销售方',
          }),
        },
      },
      autoMatch: {
        label: '自动匹配',
        inputs: {
          counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
          invoice_no: f.text('发票号码', { max: 20 }),
          invoice_date: f.day('开票日期'),
          invoice_amount: f.amount('发票价税合计', { required: true, hint: '按入库先后匹配，合计须与发票一致' }),
        },
      },
    },
  },
  sourcing: {
    sources: [
      invoicesGoods('purchaseGrn', 'grn', sourceTypes.GRN),
      invoices('settlementGrn', 'settlementGrn', sourceTypes.SETTLEMENT_GRN, {
        notReadyMessage: '结算单{from}尚未结算入库',
        rollup: [{ via: 'source', purpose: 'invoice' }],
      }),
      overReturns('purchaseReturn', 'grnReturn', sourceTypes.PURCHASE_RETURN),
    ],
  },
  progress: {
    main: 'pay',
    statuses: { pay_state: 'pay' },
    startedBy: { pay_state: 'apply' },
    statusLabels: { pay_state: { label: '付款状态', choices: { 1: '待申请', 2: '已申请待付款', 3: '付款完成' } } },
    columns: {
      applied_amount: { label: '已申请金额', purpose: 'apply' },
      unapplied_amount: { label: '未申请金额', purpose: 'apply', rest: true },
      paid_amount: { label: '已付金额', purpose: 'pay' },
      unpaid_amount: { label: '未付金额', purpose: 'pay', rest: true },
    },
  },
  posting: {
    stockDirection: 'named',
    accountsOnly: true,
    accountMovement: 'rounding',
    opens: ['payable_invoiced'],
    postings: doc => ({ entries: underInvoice(doc, 'payable_estimated', 'payable_invoiced') }),
  },
  screens: [
    {
      route: '/commonView/invoiceManage/businessPeople/systemInvoice/inbound',
      title: '进项发票登记',
      orgs: 'HDV',
      menu: '发票管理',
      purpose: '按入库明细登记供应商发票，未登记的即为暂估',
      columns: [
        ...registeredColumns,
        'created_by_name',
        'business_date',
        'reviewed_by_name',
        'record_state',
        'match_state',
        'pay_state',
        'state',
      ],
      filters: [...registeredFilters, 'is_red', 'pay_state', 'state'],
      actions: ['add', 'edit', 'del', 'submit', 'unsubmit', 'redReverse', 'cancel'],
    },
    {
      ...financePage,
      tab: '进项',
      orgs: 'HDV',
      purpose: '财务审核已登记的发票，记账并勾选认证',
      columns: [
        ...financeColumns,
        'certify_state',
        'certify_period',
        'certified_on',
        'certified_by',
        'voucher_no',
        'record_state',
        'recorded_by',
        'recorded_at',
        'created_by_name',
        'state',
      ],
      filters: [...financeFilters, 'certify_state', 'record_state', 'state'],
      actions: [
        'review',
        'approveMatch',
        'reject',
        'unreview',
        'toAdvance',
        'refundPaid',
        'record',
        'unrecord',
        'certify',
      ],
    },
    {
      route: '/commonView/paymentAttachment/paymentOrder',
      title: '付款单',
      tab: '应付清单',
      orgs: 'HDV',
      menu: '财务管理',
      purpose: '各发票的应付金额、申请付款与付清情况',
      columns: dueColumns,
      keyColumns: ['sn', 'counterparty_sn', 'invoice_no', 'unpaid_amount', 'due_date', 'pay_state'],
      filters: ['pay_state', 'counterparty_sn', 'invoice_no', 'due_date', 'invoice_date', 'source_sn'],
      states: ['reviewed', 'partial', 'completed'],
      actions: [],
    },
    {
      route: '/hospital/paymentApplicationH',
      title: '付款申请',
      tab: '待申请',
      orgs: 'H',
      menu: '财务管理',
      purpose: '已核对、到期待申请付款的供应商发票',
      columns: dueColumns,
      keyColumns: ['sn', 'counterparty_sn', 'invoice_no', 'unpaid_amount', 'due_date', 'pay_state'],
      filters: ['counterparty_sn', 'invoice_no', 'due_date', 'invoice_date', 'source_sn'],
      where: { begin_unapplied_amount: '0.01' },
      states: ['reviewed', 'partial'],
      actions: [],
    },
    {
      route: '/hospital/settlementInvoiceCheck',
      title: '结算发票核对',
      orgs: 'H',
      menu: '结算管理',
      purpose: '核对供应商对结算开具的发票，审核即校验通过，不符则退回',
      columns: [
        'sn',
        'state',
        'counterparty_sn',
        'invoice_type',
        'invoice_code',
        'invoice_no',
        'invoice_date',
        ...invoiceSums,
        'settlement_nos',
        'source_sn',
        'settled_amount',
        'check_result',
        'difference_reason',
        'invoice_sent_at',
        'invoice_checked_by',
        'invoice_checked_at',
        'pay_state',
      ],
      keyColumns: ['sn', 'state', 'counterparty_sn', 'invoice_no', 'settled_amount', 'check_result'],
      filters: [
        'state',
        'check_result',
        'counterparty_sn',
        'invoice_no',
        'invoice_code',
        'invoice_date',
        'settlement_nos',
        'source_sn',
        'reviewed_at',
        'pay_state',
      ],
      filterLabels: { reviewed_at: '校验日期' },
      batchLabels: { review: '批量核对' },
      where: { source_type: String(sourceTypes.SETTLEMENT_GRN) },
      states: ['submitted', 'rejected', 'reviewed', 'partial', 'completed'],
      actions: ['review', 'approveMatch', 'unreview', 'reject', 'record'],
    },
  ],
})
