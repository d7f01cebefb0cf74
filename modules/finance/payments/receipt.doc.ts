import { defineDocument, type Guard, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import type { Entry } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  hasLines,
  moreThanNothing,
  needs,
  notInFuture,
  notRecorded,
  sumOrReason,
} from '#modules/base/vocabulary/validators.ts'
import {
  ALLOWANCE,
  allowanceField,
  allowedLines,
  allowedOnSettled,
  settledWithAllowance,
} from '#modules/finance/payments/allowances.ts'
import { paymentMethods } from '#modules/base/vocabulary/payment-methods.ts'
import { recording, voucherFields } from '#modules/finance/accounting/voucher-fields.ts'

const header = {
  counterparty_sn: f.ref('客户', 'organisation', { required: true, optionsFilter: { relation: 'customer' } }),
  payment_method: f.pick('收款方式', paymentMethods, { default: 'transfer' }),
  receive_account: f.text('收款账户', { max: 60 }),
  payer_name: f.text('付款单位', { max: 100 }),
  payer_bank: f.text('付款开户行', { max: 100 }),
  payer_account: f.text('付款账号', { max: 40 }),
  paid_on: f.day('收款日期'),
  bank_fee: f.amount('贴现息/手续费', { min: '0', hint: '银行从收款中扣下的部分' }),
  ...allowanceField,
  bill_no: f.text('汇票号码', { max: 40 }),
  bill_due_date: f.day('汇票到期日'),
  bank_serial_no: f.text('银行流水号', { max: 60 }),
  counter_payment_sn: f.text('对方付款单号', { max: 40 }),
  counter_payment_amount: f.amount('对方付款金额', { readOnly: true }),
  difference_reason: f.text('差异原因', { max: 200 }),
  match_invoices: f.text('核销发票', {
    dialogOnly: true,
    max: 400,
    hint: '开票单号或发票号码，用逗号隔开；留空按开票先后',
  }),
  turned_order: f.text('限于销售订单', { dialogOnly: true, max: 40, hint: '留空为不限订单' }),
  ...voucherFields,
  handler_inner_sn: f.ref('业务员', 'employee'),
  cashier_inner_sn: f.ref('出纳', 'employee'),
  business_date: f.day('业务日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('银行回单'),
}
const lines = allowedLines('本次核销金额')
type Doc = DocOf<typeof header, typeof lines>

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择客户'),
    moreThanNothing('收款金额必须大于0'),
    sumOrReason('counter_payment_amount', 'difference_reason', '收款金额与对方付款金额不一致，请填写原因'),
    notInFuture('paid_on', '收款日期不能晚于今天'),
    allowedOnSettled('发票或期初应收'),
  ],
})

const hasRest: Guard<Doc> = doc => doc.lines.some(line => line.source_line_no === null) || '该收款单已全部核销'

/** 收款单: money received from a customer, matched to invoices; the part that matches none is an advance payment. */
export const receipt = defineDocument({
  kind: 'receipt',
  title: '收款单',
  numberPrefix: 'SK',
  category: 'finance',
  ownerTypes: 'DV',
  facts: { collected: 1 },
  header,
  lines,
  lineRules: {
    basis: 'amount',
  },
  actions: {
    ...life,
    unreview: { ...life.unreview, guards: [notRecorded('单据已记账，不能反审核')] },
    redReverse: { ...life.redReverse, guards: [notRecorded('单据已记账，请先取消记账')] },
    match: {
      label: '核销',
      from: ['reviewed'],
      to: null,
      inputs: ['match_invoices'],
      guards: [notRecorded('单据已记账，不能核销'), hasRest],
    },
    unmatch: {
      label: '取消核销',
      from: ['reviewed'],
      to: null,
      requiresReason: '请填写取消核销的原因',
      guards: [
        notRecorded('单据已记账，不能取消核销'),
        doc => doc.lines.some(line => line.source_line_no !== null) || '该收款单没有核销发票',
      ],
    },
    turn: {
      label: '转预收款单',
      from: ['reviewed'],
      to: null,
      inputs: ['turned_order'],
      guards: [hasRest],
    },
    refund: { label: '退款登记', from: ['reviewed'], to: null, guards: [hasRest] },
    record: { ...recording.record, guards: [notRecorded('单据已记账')] },
    unrecord: recording.unrecord,
  },
  lifecycle: {
    columnLabels: { taxed_amount: '收款金额' },
    listActions: {
      autoMatch: {
        label: '自动核销',
        inputs: {
          counterparty_sn: f.ref('客户', 'organisation', { required: true, optionsFilter: { relation: 'customer' } }),
          received_amount: f.amount('收款金额', { required: true, min: '0.01', hint: '按开票先后核销，余额转预收' }),
          paid_on: f.day('收款日期'),
          bank_serial_no: f.text('银行流水号', { max: 60 }),
          bank_remark: f.text('银行附言', { max: 200, hint: '写有发票号码的先核销该发票；否则先找金额相同的发票' }),
        },
      },
    },
  },
  sourcing: {
    sources: [
      {
        from: 'outboundInvoice',
        for: 'odoInvoice',
        sourceType: sourceTypes.ODO_INVOICE,
        purpose: 'pay',
        basis: 'amount',
        alsoAmount: ALLOWANCE,
        overdrawnMessage: '核销金额超过未收金额{n}',
        multipleSources: true,
        // A receipt is recorded under a voucher of its own.
        headerMap: { record_state: '', voucher_no: '', accounting_period: '' },
      },
      {
        from: 'openingReceivable',
        for: 'openingReceivable',
        sourceType: sourceTypes.OPENING_RECEIVABLE,
        purpose: 'pay',
        basis: 'amount',
        alsoAmount: ALLOWANCE,
        overdrawnMessage: '核销金额超过未收金额{n}',
        multipleSources: true,
      },
    ],
  },
  posting: {
    stockDirection: 'none',
    accountMovement: 'money',
    opens: ['prereceived'],
    postings: doc => ({
      entries: doc.lines.flatMap((line): Entry[] =>
        line.source_line_no === null
          ? [{ line_no: line.line_no, account: 'prereceived', amount: line.taxed_amount }]
          : settledWithAllowance(line, 'receivable_invoiced'),
      ),
    }),
  },
  screens: [
    {
      route: '/commonView/paymentAttachment/receiveOrder',
      title: '收款单',
      orgs: 'DV',
      menu: '财务管理',
      purpose: '登记客户来款并核销发票，未核销部分转预收',
      columns: [
        'sn',
        'counterparty_sn',
        'paid_on',
        'payment_method',
        'receive_account',
        'taxed_amount',
        'matched_amount',
        'unmatched_amount',
        'allowance_amount',
        'bank_fee',
        'line_count',
        'source_sn',
        'counter_payment_sn',
        'bank_serial_no',
        'handler_inner_sn',
        'cashier_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'voucher_no',
        'record_state',
        'matching_state',
        'state',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'source_sn',
        'paid_on',
        'payment_method',
        'handler_inner_sn',
        'counter_payment_sn',
        'matching_state',
        'record_state',
        'state',
      ],
    },
  ],
})
