import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import type { Entry } from '#kernel/ledger/posting.ts'
import { recording, voucherFields } from '#modules/finance/accounting/voucher-fields.ts'
import { advanceLines, advanceProgress, balanceColumns } from '#modules/finance/payments/advances/advance-definition.ts'
import { paymentMethods } from '#modules/base/vocabulary/payment-methods.ts'
import { someAmount, hasLines, needs, notInFuture, notRecorded } from '#modules/base/vocabulary/validators.ts'

type Doc = DocOf<typeof header, typeof lines>

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择客户'),
    someAmount,
    notInFuture('paid_on', '收款日期不能晚于今天'),
  ],
})

const origins = { received: '收款', invoice: '发票转入', opening: '期初转入', receipt: '收款余额转入' } as const

/** An advance made from an invoice or a receipt was not received by itself: it can only be offset or refunded. */
const notTurned = (verb: string) => (doc: Doc) => !doc.turned_from || `转入的预收款不能${verb}，请核销或退款`

const header = {
  counterparty_sn: f.ref('客户', 'organisation', { required: true, optionsFilter: { relation: 'customer' } }),
  order_sn: f.text('销售订单号', { max: 40, hint: '没有订单的留空' }),
  order_amount: f.amount('订单金额', { readOnly: true }),
  order_prepaid: f.amount('订单已预收金额', { readOnly: true }),
  paid_on: f.day('收款日期'),
  payment_method: f.pick('收款方式', paymentMethods, { default: 'transfer' }),
  receive_account: f.text('收款账户', { max: 60 }),
  payer_name: f.text('付款单位', { max: 100 }),
  bank_serial_no: f.text('银行流水号', { max: 60 }),
  origin: f.pick('款项来源', origins, { readOnly: true, default: 'received' }),
  turned_from: f.text('转自', { readOnly: true, max: 40 }),
  ...voucherFields,
  handler_inner_sn: f.ref('业务员', 'employee'),
  business_date: f.day('业务日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('银行回单'),
}
const lines = advanceLines('预收金额')

/** 预收款单: money that a customer paid before delivery, bound to the customer's order if there is one. */
export const prereceipt = defineDocument({
  kind: 'prereceipt',
  title: '预收款单',
  numberPrefix: 'YSK',
  category: 'finance',
  ownerTypes: 'DV',
  header,
  lines,
  lineRules: { basis: 'amount' },
  actions: {
    ...life,
    unreview: { ...life.unreview, guards: [notRecorded('单据已记账，不能反审核'), notTurned('反审核')] },
    redReverse: {
      ...life.redReverse,
      guards: [notRecorded('单据已记账，请先取消记账'), notTurned('红冲')],
    },
    offset: { label: '核销', from: ['reviewed'], to: null, tone: 'primary' },
    refund: { label: '退款登记', from: ['reviewed'], to: null },
    record: { ...recording.record, guards: [notRecorded('单据已记账')] },
    unrecord: recording.unrecord,
  },
  sourcing: {
    named: [
      {
        from: 'salesOrder',
        field: 'order_sn',
        label: '登记预收款',
        headerMap: { counterparty_sn: 'counterparty_sn' },
      },
    ],
  },
  progress: advanceProgress({ paid: false }),
  posting: {
    stockDirection: 'none',
    accountMovement: 'money',
    opens: ['prereceived'],
    // An advance that was made from settled money is booked by its transfer document.
    skippedWhen: { origin: ['invoice', 'opening', 'receipt'] },
    postings: doc => ({
      entries: doc.turned_from
        ? []
        : doc.lines.map(
            (line): Entry => ({ line_no: line.line_no, account: 'prereceived', amount: line.taxed_amount }),
          ),
    }),
  },
  screens: [
    {
      route: '/commonView/prepaidManage/advanceCharge',
      title: '预收款管理',
      tab: '预收款',
      leads: true,
      orgs: 'DV',
      menu: '财务管理',
      purpose: '登记客户预付的款，之后核销发票或退款',
      columns: [
        'sn',
        'counterparty_sn',
        'order_sn',
        'order_amount',
        'paid_on',
        'payment_method',
        'receive_account',
        'taxed_amount',
        ...balanceColumns,
        'age_days',
        'handler_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'offset_state',
        'state',
      ],
      filters: ['sn', 'counterparty_sn', 'order_sn', 'paid_on', 'age_days', 'offset_state', 'record_state', 'state'],
    },
  ],
})
