import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { isZero } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import type { Entry } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  everyLine,
  hasLines,
  moreThanNothing,
  needs,
  notInFuture,
  notRecorded,
} from '#modules/base/vocabulary/validators.ts'
import { payee } from '#modules/finance/payments/payments.ts'
import {
  ALLOWANCE,
  allowanceField,
  allowanceOf,
  allowedLines,
  settledWithAllowance,
} from '#modules/finance/payments/allowances.ts'
import { paymentMethods } from '#modules/base/vocabulary/payment-methods.ts'
import { recording, voucherFields } from '#modules/finance/accounting/voucher-fields.ts'

const header = {
  counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
  payment_method: f.pick('付款方式', paymentMethods, { default: 'transfer' }),
  pay_account: f.text('付款账户', { max: 60 }),
  ...payee,
  paid_on: f.day('付款日期', { hint: '实际付款的日期，付款时留空为今天' }),
  bank_fee: f.amount('手续费', { min: '0' }),
  ...allowanceField,
  bill_no: f.text('汇票号码', { max: 40 }),
  bill_due_date: f.day('汇票到期日'),
  bank_serial_no: f.text('银行流水号', { max: 60 }),
  ...voucherFields,
  handler_inner_sn: f.ref('出纳', 'employee'),
  business_date: f.day('业务日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('银行回单'),
}
const lines = allowedLines('本次付款金额')
type Doc = DocOf<typeof header, typeof lines>

const notAhead = notInFuture('paid_on', '付款日期不能晚于今天')

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择供应商'),
    moreThanNothing('付款金额必须大于0'),
    notAhead,
    everyLine('请先提交付款申请', line => line.source_sn !== null),
    doc =>
      doc.source_type !== sourceTypes.ADVANCE_PAYMENT ||
      doc.lines.every(line => isZero(allowanceOf(line))) ||
      '预付款没有折让，请清空折让金额',
  ],
  notByAuthor: true,
})

/**
 * 付款单: money paid to a supplier on an approved application. The author never reviews it; the review reduces the
 * debt.
 */
export const payment = defineDocument({
  kind: 'payment',
  title: '付款单',
  numberPrefix: 'FK',
  category: 'finance',
  ownerTypes: 'HDV',
  facts: { paid: 1 },
  header,
  lines,
  lineRules: {
    basis: 'amount',
  },
  actions: {
    ...life,
    pay: {
      label: '付款',
      from: ['reviewed'],
      to: 'completed',
      tone: 'primary',
      inputs: ['paid_on', 'bank_serial_no', 'bank_fee'],
      guards: [notAhead],
    },
    payReturned: {
      label: '登记退汇',
      from: ['completed'],
      to: 'reviewed',
      tone: 'danger',
      requiresReason: '请填写退汇或冲正的原因',
    },
    unreview: { ...life.unreview, guards: [notRecorded('单据已记账，不能反审核')] },
    redReverse: { ...life.redReverse, guards: [notRecorded('单据已记账，请先取消记账')] },
    record: { ...recording.record, guards: [notRecorded('单据已记账')] },
    unrecord: recording.unrecord,
  },
  lifecycle: {
    stateLabels: { completed: '已付款' },
    columnLabels: { taxed_amount: '付款金额' },
  },
  sourcing: {
    sources: [
      {
        from: 'paymentApplication',
        for: 'paymentApplication',
        sourceType: sourceTypes.PAYMENT_APPLICATION,
        purpose: 'pay',
        basis: 'amount',
        alsoAmount: ALLOWANCE,
        overdrawnMessage: '付款金额超过申请未付金额{n}',
        multipleSources: true,
        headerMap: { voucher_no: '', accounting_period: '' },
        rollup: [{ via: 'source', purpose: 'pay' }],
      },
      {
        from: 'prepayment',
        for: 'prepayment',
        sourceType: sourceTypes.ADVANCE_PAYMENT,
        purpose: 'pay',
        basis: 'amount',
        overdrawnMessage: '付款金额超过申请未付金额{n}',
        headerMap: { record_state: '', voucher_no: '', accounting_period: '' },
      },
    ],
  },
  posting: {
    stockDirection: 'none',
    accountMovement: 'money',
    postings: doc => ({
      entries: doc.lines.flatMap((line): Entry[] =>
        doc.source_type === sourceTypes.ADVANCE_PAYMENT
          ? [{ line_no: line.line_no, account: 'prepaid', amount: line.taxed_amount }]
          : settledWithAllowance(line, 'payable_invoiced'),
      ),
    }),
  },
  intercompany: {
    copies: [
      {
        on: 'review',
        creates: {
          kind: 'receipt',
          state: 'draft',
          headerMap: { counter_payment_sn: 'sn', counter_payment_amount: 'taxed_amount' },
        },
        header: ['payment_method', 'paid_on', 'bill_no', 'bill_due_date', 'bank_serial_no'],
        lines: ['invoice_no'],
        message: { title: '客户已付款，请核对收款', uri: 'receiveOrder' },
      },
    ],
  },
  screens: [
    {
      route: '/commonView/paymentAttachment/paymentOrder',
      title: '付款单',
      tab: '付款单',
      orgs: 'HDV',
      menu: '财务管理',
      purpose: '按已批付款申请登记付款，审核后冲减应付',
      columns: [
        'sn',
        'counterparty_sn',
        'source_sn',
        'line_count',
        'taxed_amount',
        'allowance_amount',
        'bank_fee',
        'items_due_on',
        'items_late_days',
        'payment_method',
        'pay_account',
        'payee_name',
        'paid_on',
        'bank_serial_no',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'record_state',
        'state',
      ],
      labels: { taxed_amount: '本次付款金额' },
      filters: [
        'sn',
        'counterparty_sn',
        'source_sn',
        'payment_method',
        'paid_on',
        'bank_serial_no',
        'business_date',
        'record_state',
        'state',
      ],
    },
  ],
})
