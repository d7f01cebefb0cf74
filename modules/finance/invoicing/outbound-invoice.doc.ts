import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { type Decimal, isZero } from '#kernel/values/decimal.ts'
import { turnedMoney } from '#modules/finance/accounting/turned-money.ts'
import { invoiceNumber, needs } from '#modules/base/vocabulary/validators.ts'
import {
  financeColumns,
  financeFilters,
  financePage,
  invoiceLifecycle,
  invoices,
  invoicesGoods,
  overReturns,
  registeredColumns,
  registeredFilters,
} from '#modules/finance/invoicing/invoice-definition.ts'
import { mergeWays } from '#modules/finance/invoicing/electronic/e-invoice.entity.ts'
import {
  askedAlready,
  buyerFields,
  invoiceFields,
  invoiceLines,
  issueAction,
  issueFields,
  underInvoice,
} from '#modules/finance/invoicing/invoices.ts'

const header = {
  counterparty_sn: f.ref('客户', 'organisation', { required: true, optionsFilter: { relation: 'customer' } }),
  ...buyerFields,
  ...invoiceFields,
  check_state: f.pick(
    '客户核对状态',
    { unsent: '未送核', sent: '待核对', passed: '核对通过', returned: '已退回', recorded: '已入账' },
    { readOnly: true, default: 'unsent' },
  ),
  answer_reason: f.text('退回原因', { readOnly: true }),
  issue_way: f.pick('开票方式', { provider: '电子开票', manual: '手工' }, { default: 'manual' }),
  merge_way: f.pick('明细合并', mergeWays, { default: 'none', hint: '电子开票时发票上的明细' }),
  ...issueFields,
  delivery_way: f.pick('送达方式', { platform: '平台送达', email: '邮件', post: '纸质送达' }, { default: 'platform' }),
  handler_inner_sn: f.ref('业务员', 'employee'),
  business_date: f.day('申请日期'),
  remark: f.longText('发票备注', { max: 500 }),
  attachments: f.files('发票原件'),
}
const lines = {
  ...invoiceLines,
  discount_amount: f.amount('折扣金额', {
    min: '0',
    hint: '含税，已在单价中减去；电子发票按折扣前金额开具，并随后另起一行折扣',
  }),
}
type Doc = DocOf<typeof header, typeof lines>

const { record, unrecord, ...life } = invoiceLifecycle<Doc>({
  partner: '客户',
  sources: '出库单或结算单',
  required: [
    needs('buyer_name', '请填写购方名称'),
    needs('buyer_tax_no', '请填写购方税号'),
    doc =>
      doc.is_red !== true ||
      doc.lines.every(line => isZero((line.discount_amount as Decimal | null | undefined) ?? '0')) ||
      '红字发票不填折扣金额，按折扣后的金额红冲',
  ],
  numbered: doc => doc.issue_way === 'provider' || needs('invoice_no', '请先登记发票号码')(doc),
})

const CHECKED = '医院已核对，不能撤回'
/** 核对通过 or 已入账. */
const isAccepted = (doc: Doc): boolean => ['passed', 'recorded'].includes(String(doc.check_state))
/** Only invoices over settlements are sent to the hospital's check, and taken back from it, as a step of their own. */
const ofSettlement =
  (what: string) =>
  (doc: Doc): true | string =>
    String(doc.source_type) === String(sourceTypes.SETTLEMENT_GRN) || `只有医院结算发票可以${what}`

/**
 * 销项发票: our invoice over delivered or settled goods. It turns debt without an invoice into debt under one; the customer
 * receives it as its 进项发票.
 */
export const outboundInvoice = defineDocument({
  kind: 'outboundInvoice',
  title: '销项发票',
  numberPrefix: 'XX',
  category: 'finance',
  ownerTypes: 'DV',
  facts: { invoiced: 1 },
  externalType: 'ODO_INVOICE',
  header,
  lines,
  pricing: { typedAmounts: true },
  actions: {
    ...life,
    split: { label: '按限额拆分', from: ['draft', 'rejected'], to: null },
    issue: {
      ...issueAction,
      unavailableWhen: { issue_way: ['manual'], issue_state: askedAlready },
      guards: [doc => doc.issue_way === 'provider' || '开票方式为手工，请登记票号'],
    },
    manual: {
      label: '登记票号',
      from: ['submitted', 'reviewed'],
      to: null,
      inputs: ['invoice_type', 'invoice_code', 'invoice_no', 'invoice_date'],
      guards: [needs('invoice_no', '请填写发票号码'), invoiceNumber],
    },
    send: {
      label: '送医院核对',
      from: ['reviewed'],
      to: null,
      guards: [ofSettlement('送核'), doc => doc.check_state === 'unsent' || '已送医院核对，不用再送'],
    },
    withdraw: {
      label: '撤回送核',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      takesBack: CHECKED,
      guards: [
        ofSettlement('撤回送核'),
        doc => doc.check_state !== 'returned' || '医院已退回，请反审核后修改，或红冲后重新开票',
        doc => !isAccepted(doc) || CHECKED,
        doc => doc.check_state === 'sent' || '尚未送医院核对，不用撤回',
      ],
    },
    cancel: { ...life.cancel, guards: [doc => !doc.invoice_no || '已开具的发票不能作废，请开具红字发票'] },
    ...turnedMoney('预收'),
    record,
    unrecord,
  },
  lifecycle: {
    stateLabels: { partial: '部分收款', completed: '已收款' },
  },
  sourcing: {
    sources: [
      invoicesGoods('saleOdo', 'odo', sourceTypes.ODO),
      invoicesGoods('boneSale', 'boneSale', sourceTypes.ORTHOPAEDIC),
      // The hospital counts its receipt as invoiced by its own 进项发票.
      invoices('settlementGrn', 'settlementGrn', sourceTypes.SETTLEMENT_GRN, {
        fromCounterparty: true,
        localOnly: true,
        notReadyMessage: '结算单{from}尚未结算入库',
      }),
      overReturns('saleReturn', 'odoReturn', sourceTypes.SALE_RETURN),
    ],
  },
  progress: {
    main: 'pay',
    statuses: { pay_state: 'pay' },
    statusLabels: { pay_state: { label: '收款状态', choices: { 1: '未收款', 2: '部分收款', 3: '已收款' } } },
    columns: {
      paid_amount: { label: '已收金额', purpose: 'pay' },
      unpaid_amount: { label: '未收金额', purpose: 'pay', rest: true },
    },
  },
  posting: {
    stockDirection: 'named',
    accountsOnly: true,
    accountMovement: 'rounding',
    opens: ['receivable_invoiced'],
    postings: doc => ({ entries: underInvoice(doc, 'receivable_unbilled', 'receivable_invoiced') }),
  },
  intercompany: {
    copies: [
      {
        on: 'review',
        // An invoice that a provider issues is sent once it has its number.
        recipient: doc => (doc.issue_way === 'provider' && !doc.invoice_no ? null : doc.counterparty_sn),
        creates: { kind: 'inboundInvoice', state: 'submitted' },
        attachments: true,
        header: [
          'buyer_name',
          'buyer_tax_no',
          'invoice_type',
          'invoice_code',
          'invoice_no',
          'invoice_date',
          'invoice_amount',
          'is_red',
          'blue_invoice_no',
          'first_invoice_no',
        ],
        message: { title: '收到供应商发票，请核对', uri: 'settlementInvoiceCheck' },
      },
    ],
  },
  screens: [
    {
      route: '/commonView/invoiceManage/businessPeople/systemInvoice/outbound',
      title: '销项发票登记',
      orgs: 'DV',
      menu: '发票管理',
      purpose: '选择出库明细开票，登记票号后交财务审核',
      columns: [
        ...registeredColumns,
        'handler_inner_sn',
        'issue_way',
        'issue_state',
        'record_state',
        'pay_state',
        'state',
      ],
      filters: [...registeredFilters, 'handler_inner_sn', 'issue_state', 'pay_state', 'state'],
    },
    {
      ...financePage,
      tab: '销项',
      orgs: 'DV',
      purpose: '财务审核开出的发票，记账并跟踪收款',
      columns: [
        ...financeColumns,
        'voucher_no',
        'record_state',
        'recorded_by',
        'recorded_at',
        'pay_state',
        'paid_amount',
        'unpaid_amount',
        'created_by_name',
        'state',
      ],
      filters: [...financeFilters, 'record_state', 'state'],
      actions: ['review', 'reject', 'unreview', 'manual', 'toAdvance', 'refundPaid', 'record', 'unrecord'],
    },
    {
      route: '/commonView/hospitalSettlementInvoice',
      title: '医院结算发票',
      orgs: 'DV',
      menu: '结算管理',
      purpose: '对已确认并入库的医院结算开票，送医院核对',
      columns: [
        'sn',
        'counterparty_sn',
        'settlement_nos',
        'settlement_period',
        'source_sn',
        'settlement_amount',
        'settlement_invoiced',
        'settlement_uninvoiced',
        'taxed_amount',
        'invoice_amount',
        'rounding',
        'invoice_type',
        'invoice_no',
        'invoice_date',
        'untaxed_amount',
        'tax_amount',
        'delivery_way',
        'check_state',
        'answer_reason',
        'pay_state',
        'business_date',
        'reviewed_at',
        'state',
      ],
      keyColumns: ['sn', 'state', 'counterparty_sn', 'settlement_nos', 'taxed_amount', 'check_state'],
      filters: [
        'sn',
        'counterparty_sn',
        'settlement_nos',
        'settlement_period',
        'source_sn',
        'invoice_no',
        'invoice_date',
        'check_state',
        'pay_state',
        'state',
      ],
      where: { source_type: String(sourceTypes.SETTLEMENT_GRN) },
    },
  ],
})
