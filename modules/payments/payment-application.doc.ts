import { defineDocument } from '#kernel/document.ts'
import { f } from '#kernel/field.ts'
import { lifecycle, stop } from '#kernel/lifecycle.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { everyLineHasSource, hasLines, moreThanNothing, needs } from '#modules/guards.ts'
import { moneyLines, payee, paymentMethods } from '#modules/payments/payments.ts'

const hospitalColumns = [
  'sn',
  'pay_state',
  'counterparty_sn',
  'line_count',
  'taxed_amount',
  'payment_method',
  'payee_bank',
  'payee_account',
  'fund_source',
  'handler_inner_sn',
  'business_date',
  'reviewed_by_name',
  'reviewed_at',
  'state',
] as const
const hospitalFilters = ['pay_state', 'sn', 'counterparty_sn', 'source_sn', 'business_date', 'state'] as const

/** 付款申请单: asks that due invoices of one supplier be paid. Submitted, it holds them, so that nobody applies twice; reviewed, they may be paid. */
export const paymentApplication = defineDocument({
  kind: 'paymentApplication',
  title: '付款申请单',
  prefix: 'FKSQ',
  family: 'finance',
  keptBy: 'HDV',
  goods: 'none',
  measure: 'amount',
  byHand: false,
  main: 'pay',
  derives: { pay_state: 'pay' },
  stateNames: { partial: '部分付款', completed: '付款完成' },
  header: {
    counterparty_sn: f.ref('供应商', 'organisation', { required: true, narrow: { relation: 'supplier' } }),
    department_inner_sn: f.ref('申请部门', 'department'),
    payment_method: f.pick('付款方式', paymentMethods, { default: 'transfer' }),
    ...payee,
    expected_date: f.day('期望付款日期'),
    fund_source: f.text('资金来源', { max: 40 }),
    reason_text: f.text('付款事由', { max: 200 }),
    handler_inner_sn: f.ref('申请人', 'employee'),
    business_date: f.day('申请日期'),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('附件'),
  },
  lines: moneyLines,
  takes: [
    {
      from: 'inboundInvoice',
      for: 'grnInvoice',
      sourceType: sourceTypes.GRN_INVOICE,
      purpose: 'apply',
      measure: 'amount',
      exceeded: '申请金额超过可申请金额{n}',
      at: 'submit',
      many: true,
    },
  ],
  actions: {
    ...lifecycle({
      submit: [
        hasLines,
        needs('counterparty_sn', '请选择供应商'),
        moreThanNothing('本次申请付款必须大于0'),
        everyLineHasSource('请选择要付款的发票'),
      ],
      taken: '已生成付款单，不能反审核',
    }),
    stop,
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
        'pay_state',
        'expected_date',
        'payment_method',
        'handler_inner_sn',
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
