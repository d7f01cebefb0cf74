import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { advanceLines, advanceProgress, balanceColumns } from '#modules/finance/payments/advances/advance-definition.ts'
import { recording, voucherFields } from '#modules/finance/accounting/voucher-fields.ts'
import { payee } from '#modules/finance/payments/payments.ts'
import { paymentMethods } from '#modules/base/vocabulary/payment-methods.ts'
import { someAmount, hasLines, needs, notRecorded } from '#modules/base/vocabulary/validators.ts'

const header = {
  counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
  order_sn: f.text('采购订单号', { max: 40, hint: '没有订单的留空，并填写用途' }),
  order_amount: f.amount('订单金额', { readOnly: true }),
  order_prepaid: f.amount('订单已预付金额', { readOnly: true }),
  prepaid_ratio: f.rate('预付比例', { readOnly: true }),
  payment_method: f.pick('付款方式', paymentMethods, { default: 'transfer' }),
  ...payee,
  expected_date: f.day('期望付款日期'),
  purpose_text: f.text('用途', { max: 200 }),
  turned_from: f.text('转自', { readOnly: true, max: 40 }),
  covering_invoices: f.text('到票发票号码', { readOnly: true, max: 1000 }),
  invoice_state: f.pick(
    '到票状态',
    { none: '未到票', part: '部分到票', all: '已到票' },
    {
      readOnly: true,
      default: 'none',
    },
  ),
  linked_invoices: f.text('关联的发票', { dialogOnly: true, max: 400, hint: '登记单号或发票号码，用逗号隔开' }),
  moved_order: f.text('转到采购订单', { dialogOnly: true, max: 40, hint: '同一供应商的订单；留空为不再限于订单' }),
  ...voucherFields,
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('申请日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('合同/形式发票'),
}
const lines = advanceLines('本次预付')
type Doc = DocOf<typeof header, typeof lines>

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择供应商'),
    someAmount,
    doc => Boolean(doc.order_sn || doc.purpose_text) || '没有采购订单的预付款，请填写用途',
  ],
  blockedMessage: '已生成付款单，不能反审核',
})

/**
 * 预付款单: money requested before goods or invoice are there, bound to an order if there is one. Its review books nothing;
 * the payment made from it raises the balance of money paid in advance.
 */
export const prepayment = defineDocument({
  kind: 'prepayment',
  title: '预付款单',
  numberPrefix: 'YF',
  category: 'finance',
  ownerTypes: 'HDV',
  externalType: 'ADVANCE_PAYMENT',
  header,
  lines,
  lineRules: { basis: 'amount' },
  actions: {
    ...life,
    cancel: {
      ...life.cancel,
      from: [...life.cancel.from, 'partial', 'completed'],
      guards: [doc => !['partial', 'completed'].includes(doc.state) || '已付款，不能作废'],
    },
    pay: { label: '付款', from: ['reviewed', 'partial'], to: null, tone: 'primary' },
    linkInvoice: {
      label: '关联到票',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      inputs: ['linked_invoices'],
    },
    offset: { label: '核销', from: ['completed'], to: null, tone: 'primary' },
    refund: { label: '退款登记', from: ['completed'], to: null },
    move: {
      label: '转移订单',
      from: ['completed'],
      to: null,
      inputs: ['moved_order'],
      requiresReason: '请填写转移订单的原因',
    },
    record: { ...recording.record, guards: [notRecorded('单据已记账')] },
    unrecord: recording.unrecord,
  },
  lifecycle: {
    dueDate: 'expected_date',
    stateLabels: { reviewed: '已审核(待付款)', partial: '部分付款', completed: '已付款' },
    listActions: {
      fromOrder: {
        label: '按订单申请',
        documents: { order_sn: 'purchaseOrder' },
        inputs: {
          order_sn: f.text('采购订单号', { required: true, max: 40 }),
          prepaid_percent: f.rate('预付比例', { required: true, hint: '按订单含税金额计算' }),
        },
      },
    },
  },
  sourcing: {
    named: [
      {
        from: 'purchaseOrder',
        field: 'order_sn',
        label: '申请预付款',
        headerMap: { counterparty_sn: 'counterparty_sn' },
      },
    ],
  },
  progress: advanceProgress({ paid: true }),
  posting: { stockDirection: 'none', opens: ['prepaid'] },
  screens: [
    {
      route: '/commonView/invoiceManage/businessPeople/advancePayment',
      title: '预付款申请',
      orgs: 'HDV',
      menu: '发票管理',
      purpose: '货物和发票未到之前向供应商预付款的申请，之后关联到票',
      columns: [
        'sn',
        'counterparty_sn',
        'order_sn',
        'order_amount',
        'taxed_amount',
        'prepaid_ratio',
        'paid_amount',
        ...balanceColumns,
        'invoice_state',
        'expected_date',
        'overdue',
        'handler_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'state',
        'remark',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'order_sn',
        'business_date',
        'overdue',
        'invoice_state',
        'offset_state',
        'state',
      ],
      actions: ['add', 'edit', 'del', 'submit', 'unsubmit', 'cancel', 'linkInvoice'],
    },
    {
      route: '/commonView/financeStaff/advancePayment',
      title: '预付款审核',
      orgs: 'HDV',
      menu: '财务管理',
      purpose: '财务审核预付款申请、付款并记账',
      columns: [
        'sn',
        'counterparty_sn',
        'order_sn',
        'order_amount',
        'partner_payable',
        'partner_prepaid',
        'taxed_amount',
        'prepaid_ratio',
        'paid_amount',
        'expected_date',
        'overdue',
        'handler_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'payee_account',
        'payment_nos',
        'last_paid_on',
        'pay_accounts',
        'voucher_no',
        'record_state',
        'state',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'order_sn',
        'business_date',
        'expected_date',
        'overdue',
        'handler_inner_sn',
        'pay_state',
        'record_state',
        'state',
      ],
      actions: ['review', 'reject', 'unreview', 'pay', 'record', 'unrecord'],
    },
    {
      route: '/commonView/prepaidManage/advancePayment',
      title: '预付款管理',
      tab: '预付余额',
      leads: true,
      orgs: 'HDV',
      menu: '财务管理',
      purpose: '已付的预付款按供应商和订单保管余额，核销发票、退款或转到别的订单',
      columns: [
        'counterparty_sn',
        'sn',
        'order_sn',
        'payment_nos',
        'last_paid_on',
        'taxed_amount',
        ...balanceColumns,
        'age_days',
        'long_open',
        'invoice_state',
        'last_offset_on',
        'offset_state',
        'handler_inner_sn',
        'remark',
      ],
      filters: [
        'counterparty_sn',
        'sn',
        'order_sn',
        'last_paid_on',
        'age_days',
        'offset_state',
        'invoice_state',
        'has_balance',
      ],
      states: ['completed'],
      actions: ['offset', 'refund', 'move', 'record', 'unrecord', 'linkInvoice'],
    },
  ],
})
