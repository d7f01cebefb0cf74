import { defineDocument, type DocOf, type CommonHeader } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { isZero } from '#kernel/values/decimal.ts'
import { lifecycle, stop } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { everyLineHasSource, hasLines, moreThanNothing, needs } from '#modules/base/vocabulary/validators.ts'
import { moneyLines, payee } from '#modules/finance/payments/payments.ts'
import { recording, voucherFields } from '#modules/finance/accounting/voucher-fields.ts'
import { paymentMethods } from '#modules/base/vocabulary/payment-methods.ts'

const hospitalColumns = [
  'sn',
  'pay_state',
  'counterparty_sn',
  'line_count',
  'taxed_amount',
  'offset_amount',
  'deduction_amount',
  'pay_amount',
  'paid_amount',
  'unpaid_amount',
  'items_due_on',
  'items_late_days',
  'payment_method',
  'payee_bank',
  'payee_account',
  'fund_source',
  'handler_inner_sn',
  'business_date',
  'reviewed_by_name',
  'reviewed_at',
  'last_paid_on',
  'booked_state',
  'state',
] as const
const hospitalFilters = [
  'pay_state',
  'sn',
  'counterparty_sn',
  'source_sn',
  'items_due_on',
  'business_date',
  'last_paid_on',
  'booked_state',
  'state',
] as const

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择供应商'),
    moreThanNothing('本次申请付款必须大于0'),
    everyLineHasSource('请选择要付款的发票'),
    doc => isZero(doc.withheld_amount ?? '0') || Boolean(doc.withheld_reason) || '请填写扣款原因',
  ],
  blockedMessage: '已生成付款单，不能反审核',
})

const header = {
  counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
  department_inner_sn: f.ref('申请部门', 'department'),
  payment_method: f.pick('付款方式', paymentMethods, { default: 'transfer' }),
  ...payee,
  offset_amount: f.amount('预付核销金额', { min: '0', hint: '审核时先用最早的预付款核销，其余付款' }),
  deduction_amount: f.amount('服务费扣款', { orgs: 'H', min: '0', hint: '审核时从货款中抵扣供应商已确认的服务费' }),
  withheld_amount: f.amount('扣款金额', {
    orgs: 'DV',
    min: '0',
    hint: '从货款中扣下、不再支付的部分，付款时作为折让结清',
  }),
  withheld_reason: f.text('扣款原因', { orgs: 'DV', max: 200 }),
  pay_amount: f.amount('本次申请付款', { readOnly: true }),
  expected_date: f.day('期望付款日期'),
  fund_source: f.text('资金来源', { max: 40 }),
  reason_text: f.text('付款事由', { max: 200 }),
  accounting_period: { ...voucherFields.accounting_period, dialogOnly: true },
  voucher_no: { ...voucherFields.voucher_no, dialogOnly: true },
  handler_inner_sn: f.ref('申请人', 'employee'),
  business_date: f.day('申请日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = moneyLines('本次申请金额')
type Doc = DocOf<typeof header, typeof lines>

/** The right to apply before the due date. */
export const EARLY = 'early'

/**
 * 付款申请单: asks for payment of due invoices of one supplier. Submitted, it holds them, so that they cannot be applied
 * for twice; reviewed, they may be paid.
 */
export const paymentApplication = defineDocument({
  kind: 'paymentApplication',
  title: '付款申请单',
  numberPrefix: 'FKSQ',
  category: 'finance',
  ownerTypes: 'HDV',
  header,
  lines,
  lineRules: {
    basis: 'amount',
  },
  actions: {
    ...life,
    submit: {
      ...life.submit,
      extraPermission: {
        flag: EARLY,
        label: '提前付款',
        when: (doc: CommonHeader & { readonly is_early?: boolean }) => doc.is_early === true,
        message: '有发票未到付款期：请由有“提前付款”权限的人员申请，或到期后再申请',
      },
    },
    stop,
    record: {
      label: '标记记账',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      inputs: recording.record.inputs,
    },
  },
  lifecycle: {
    manualEntry: false,
    stateLabels: { partial: '部分付款', completed: '付款完成' },
    columnLabels: { line_count: '发票张数', taxed_amount: '申请金额合计' },
  },
  sourcing: {
    sources: [
      {
        from: 'inboundInvoice',
        for: 'grnInvoice',
        sourceType: sourceTypes.GRN_INVOICE,
        purpose: 'apply',
        basis: 'amount',
        overdrawnMessage: '申请金额超过未付余额{n}',
        countedAt: 'submit',
        multipleSources: true,
      },
      {
        from: 'openingPayable',
        for: 'openingPayable',
        sourceType: sourceTypes.OPENING_PAYABLE,
        purpose: 'apply',
        basis: 'amount',
        overdrawnMessage: '申请金额超过未付余额{n}',
        countedAt: 'submit',
        multipleSources: true,
      },
    ],
  },
  progress: {
    main: 'pay',
    statuses: { pay_state: 'pay' },
    statusLabels: { pay_state: { label: '付款状态', choices: { 1: '待付款', 2: '部分付款', 3: '付款完成' } } },
    columns: {
      paid_amount: { label: '已付金额', purpose: 'pay' },
      unpaid_amount: { label: '未付金额', purpose: 'pay', rest: true },
    },
  },
  posting: {
    stockDirection: 'none',
  },
  screens: [
    {
      route: '/commonView/paymentApplication',
      title: '付款申请',
      orgs: 'DV',
      menu: '财务管理',
      purpose: '对到期的供应商发票申请付款，逐级审批后由出纳付款',
      columns: [
        'sn',
        'counterparty_sn',
        'business_date',
        'line_count',
        'taxed_amount',
        'offset_amount',
        'withheld_amount',
        'pay_amount',
        'paid_amount',
        'unpaid_amount',
        'items_due_on',
        'items_late_days',
        'pay_state',
        'expected_date',
        'payment_method',
        'handler_inner_sn',
        'current_approvers',
        'reviewed_by_name',
        'reviewed_at',
        'state',
        'remark',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'business_date',
        'expected_date',
        'source_sn',
        'pay_state',
        'handler_inner_sn',
        'state',
      ],
      actions: ['add', 'edit', 'del', 'submit', 'unsubmit', 'review', 'reject', 'unreview', 'stop', 'cancel'],
    },
    {
      route: '/hospital/paymentApplicationH',
      title: '付款申请',
      tab: '已申请待付款',
      orgs: 'H',
      menu: '财务管理',
      purpose: '按账期对供应商发票申请付款，审批后由财务付款',
      columns: hospitalColumns,
      filters: hospitalFilters,
      states: ['draft', 'submitted', 'rejected', 'reviewed', 'partial'],
    },
    {
      route: '/hospital/paymentApplicationH',
      title: '付款申请',
      tab: '付款完成',
      orgs: 'H',
      menu: '财务管理',
      purpose: '已付清、终止或作废的付款申请',
      columns: hospitalColumns,
      filters: hospitalFilters,
      states: ['completed', 'stopped', 'cancelled'],
    },
  ],
})
