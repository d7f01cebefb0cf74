import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import type { Entry } from '#kernel/ledger/posting.ts'
import { isNegative, isZero } from '#kernel/values/decimal.ts'
import { recording, voucherFields } from '#modules/finance/accounting/voucher-fields.ts'
import { feeClasses } from '#modules/base/vocabulary/fee-classes.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'
import { hasLines, inOrder, needs, notRecorded, figure } from '#modules/base/vocabulary/validators.ts'

/** The supplier's answer; 4 is set by itself when the days of the hospital's rule are over. */
const confirmStates = { '1': '待确认', '2': '已确认', '3': '有异议', '4': '自动确认' } as const

const header = {
  counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
  collector: f.pick(
    '收费方',
    { own: '本单位', platform: '平台' },
    { default: 'own', hint: '平台收取的，审核后成为平台的服务费单，由平台审核、收款和开票' },
  ),
  // On the platform's own bill: the hospital whose settlements it is computed from.
  hospital_sn: f.ref('医院', 'organisation', { readOnly: true }),
  // On a hospital's bill that the platform collects: the collector, and the supplier that pays.
  collector_sn: f.ref('收费机构', 'organisation', { readOnly: true, internal: true }),
  payer_sn: f.ref('缴费单位', 'organisation', { readOnly: true, internal: true }),
  begin_date: f.day('结算期间起', { required: true }),
  end_date: f.day('结算期间止', { required: true }),
  collect_method: f.pick('收取方式', { alone: '单独收取', deduct: '货款抵扣' }, { default: 'alone' }),
  settlement_count: f.count('结算单数', { readOnly: true }),
  base_amount: f.amount('计费基数', { readOnly: true }),
  average_rate: f.rate('平均费率', { readOnly: true }),
  fee_amount: f.amount('应收服务费', { readOnly: true }),
  adjust_amount: f.amount('调整金额', { hint: '减收填负数，并填写调整原因' }),
  adjust_reason: f.text('调整原因', { max: 200 }),
  payee_name: f.text('收费单位', { max: 100 }),
  payee_bank: f.text('开户银行', { max: 100 }),
  payee_account: f.text('银行账号', { max: 40 }),
  due_date: f.day('截止日期'),
  confirm_state: f.pick('供应商确认', confirmStates, { readOnly: true, default: '1' }),
  answer_reason: f.text('异议原因', { readOnly: true }),
  confirmed_on: f.day('确认日期', { readOnly: true, dialogOnly: true }),
  invoice_request: f.pick(
    '发票状态',
    { none: '未申请', asked: '已申请开票', part: '部分开票', issued: '已开票' },
    {
      readOnly: true,
      default: 'none',
    },
  ),
  invoice_no: f.text('发票号', { dialogOnly: true, max: 20 }),
  invoice_date: f.day('开票日期', { readOnly: true }),
  red_invoice_no: f.text('红字发票号', { dialogOnly: true, max: 20 }),
  ...voucherFields,
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('制单日期'),
  remark: f.longText('备注', { max: 500 }),
  payment_slips: f.files('收付款凭据', { readOnly: true, hint: '本单各次收款、付款所附的银行回单' }),
  attachments: f.files('附件'),
}
const lines = {
  settlement_no: f.text('结算单号', { readOnly: true }),
  settled_on: f.day('结算日期', { readOnly: true }),
  fee_class: f.pick('费用类别', feeClasses, { readOnly: true }),
  settled_amount: f.amount('结算金额(含税)', { readOnly: true }),
  settled_untaxed: f.amount('不含税金额', { readOnly: true }),
  base_amount: f.amount('计费基数', { readOnly: true }),
  fee_rate: f.rate('费率', { readOnly: true }),
  fee_amount: f.amount('服务费', { readOnly: true }),
  floor_amount: f.amount('保底金额', { readOnly: true }),
  cap_amount: f.amount('封顶金额', { readOnly: true }),
  bound_adjust: f.amount('保底/封顶调整', { readOnly: true }),
  taxed_amount: f.amount('应收金额', { readOnly: true }),
  rate_no: f.text('费率行', { readOnly: true, internal: true }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const agreed = (doc: Doc): boolean => ['2', '4'].includes(String(doc.confirm_state))
/** A bill that the platform collects is the platform's own from its review on; here it stays to be looked up. */
const collectedHere = (doc: Doc) => doc.collector !== 'platform' || '该服务费由平台收取，请在平台的服务费单上办理'
/** Open, wholly or in part, and agreed to. */
const collectable = [collectedHere, (doc: Doc) => agreed(doc) || '服务费单尚未经供应商确认'] as const
const deducted = (doc: Doc) => doc.collect_method === 'deduct' || '该服务费单独收取，不从货款抵扣'

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择供应商'),
    doc => isZero(figure(doc, 'adjust_amount')) || Boolean(doc.adjust_reason) || '请填写调整原因',
    doc =>
      doc.collector !== 'platform' || doc.collect_method !== 'deduct' || '平台收取的服务费须单独收取，不能从货款抵扣',
    inOrder('begin_date', 'end_date', '结算期间止不能早于期间起'),
    (doc: Doc) => !isNegative(doc.taxed_amount) || '实收服务费不能小于0',
  ],
  blockedMessage: '服务费已收取或抵扣，不能反审核',
})

const sentHeader = [
  'begin_date',
  'end_date',
  'collect_method',
  'settlement_count',
  'base_amount',
  'average_rate',
  'fee_amount',
  'adjust_amount',
  'adjust_reason',
  'payee_name',
  'payee_bank',
  'payee_account',
  'due_date',
  'confirm_state',
  'invoice_request',
] as const
const sentLines = [
  'settlement_no',
  'settled_on',
  'fee_class',
  'settled_amount',
  'settled_untaxed',
  'base_amount',
  'fee_rate',
  'fee_amount',
  'floor_amount',
  'cap_amount',
  'bound_adjust',
] as const

const dealerColumns = [
  'sn',
  'org_name',
  'hospital_sn',
  'payee_name',
  'collect_method',
  'begin_date',
  'end_date',
  'settlement_count',
  'base_amount',
  'fee_amount',
  'adjust_amount',
  'taxed_amount',
  'paid_amount',
  'unpaid_amount',
  'confirm_state',
  'invoice_no',
  'invoice_date',
  'pay_state',
  'due_date',
  'state',
] as const

/**
 * 服务费单: what a hospital charges a supplier on the settlements of a period, at the reviewed rates. Its review books
 * the hospital's receivable and sends it; the supplier's confirmation, or its silence, books the supplier's debt. A
 * dispute takes it back to the hospital, which corrects it or submits it as it is. One that the platform collects goes
 * to the platform instead: its lines become the platform's own bill, which has the same life there.
 */
export const serviceCharge = defineDocument({
  kind: 'serviceCharge',
  title: '服务费单',
  numberPrefix: 'FW',
  category: 'finance',
  ownerTypes: 'HP',
  facts: { charged: 1 },
  header,
  lines,
  lineRules: {
    basis: 'amount',
    given: '保存后按期间内已确认的结算单和费率算出',
    unlisted: ['rate_no'],
  },
  actions: {
    submit: { ...life.submit, sets: { confirm_state: '1' } },
    unsubmit: life.unsubmit,
    // Reviewed again as it is after a dispute it is maintained (维持), and the supplier answers anew.
    review: { ...life.review, sets: { confirm_state: '1' } },
    reject: life.reject,
    unreview: { ...life.unreview, guards: [doc => !agreed(doc) || '服务费单已确认，不能反审核'] },
    redReverse: {
      ...life.redReverse,
      guards: [notRecorded('单据已记账，请先取消记账')],
      blockedMessage: '服务费已收取或抵扣，不能红冲',
    },
    cancel: life.cancel,
    recalc: { label: '重新计算', from: ['draft', 'rejected'], to: null },
    confirm: {
      label: '确认',
      from: ['reviewed'],
      to: null,
      by: 'counterparty',
      tone: 'primary',
      sets: { confirm_state: '2' },
      guards: [collectedHere, doc => !agreed(doc) || '服务费单已确认，无需重复确认'],
    },
    dispute: {
      label: '提出异议',
      from: ['reviewed'],
      to: 'submitted',
      by: 'counterparty',
      tone: 'danger',
      requiresReason: '请填写异议原因',
      sets: { confirm_state: '3' },
      guards: [collectedHere, doc => !agreed(doc) || '服务费单已确认，不能提出异议'],
    },
    pay: {
      label: '付款',
      from: ['reviewed', 'partial'],
      to: null,
      by: 'counterparty',
      localOnly: true,
      guards: [...collectable, doc => doc.collect_method !== 'deduct' || '该服务费从货款中抵扣，无需付款'],
    },
    setOff: {
      label: '登记抵扣',
      from: ['reviewed', 'partial'],
      to: null,
      by: 'counterparty',
      localOnly: true,
      guards: [...collectable, deducted],
    },
    applyInvoice: {
      label: '申请开票',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      by: 'counterparty',
      sets: { invoice_request: 'asked' },
      guards: [...collectable, doc => doc.invoice_request === 'none' || '已申请开票，无需重复申请'],
    },
    toInvoice: {
      label: '开具发票',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      guards: [...collectable],
    },
    issueInvoice: {
      label: '登记发票',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      inputs: ['invoice_no'],
      sets: { invoice_request: 'issued' },
      guards: [...collectable, needs('invoice_no', '请填写发票号')],
    },
    redInvoice: {
      label: '登记红字发票',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      inputs: ['red_invoice_no'],
      sets: { invoice_request: 'none' },
      guards: [
        collectedHere,
        doc => doc.invoice_request === 'issued' || '该服务费单没有登记发票',
        needs('red_invoice_no', '请填写红字发票号'),
      ],
    },
    collect: {
      label: '收款登记',
      from: ['reviewed', 'partial'],
      to: null,
      guards: [...collectable, doc => doc.collect_method !== 'deduct' || '该服务费从货款中抵扣，无需收款'],
    },
    deduct: { label: '抵扣货款', from: ['reviewed', 'partial'], to: null, guards: [...collectable, deducted] },
    record: { ...recording.record, guards: [notRecorded('单据已记账')] },
    unrecord: recording.unrecord,
  },
  lifecycle: {
    stateLabels: { reviewed: '已审核', partial: '部分收款', completed: '已完成' },
    dueDate: 'due_date',
    listActions: {
      generate: {
        label: '生成服务费',
        orgs: 'H',
        inputs: {
          begin_date: f.day('结算期间起', { hint: '起止都留空为上一个自然月' }),
          end_date: f.day('结算期间止'),
          counterparty_sn: f.ref('供应商', 'organisation', {
            optionsFilter: { relation: 'supplier' },
            hint: '留空为每个供应商各生成一张',
          }),
          collect_method: f.pick('收取方式', { alone: '单独收取', deduct: '货款抵扣' }, { default: 'alone' }),
          collector: f.pick('收费方', { own: '本单位', platform: '平台' }, { default: 'own' }),
        },
      },
    },
  },
  sourcing: {
    sources: [
      {
        // A hospital's bill that the platform collects becomes the platform's own bill.
        from: 'serviceCharge',
        for: 'hospitalCharge',
        sourceType: sourceTypes.SERVICE_CHARGE,
        purpose: 'collect',
        basis: 'amount',
        fromCounterparty: true,
        localOnly: true,
        overdrawnMessage: '该服务费已生成平台的服务费单',
        eligible: { header: { collector: ['platform'] }, message: '该服务费不由平台收取' },
        headerMap: {
          counterparty_sn: 'payer_sn',
          hospital_sn: 'from_org_id',
          collector: '',
          collector_sn: '',
          payee_name: '',
          payee_bank: '',
          payee_account: '',
        },
      },
    ],
  },
  progress: {
    main: 'pay',
    statuses: { pay_state: 'pay' },
    statusLabels: { pay_state: { label: '收款状态', choices: { 1: '未收', 2: '部分收款', 3: '已收' } } },
    columns: {
      invoiced_amount: { label: '已开票金额', purpose: 'invoice' },
      paid_amount: { label: '已收/已付金额', purpose: 'pay' },
      unpaid_amount: { label: '未收/未付金额', purpose: 'pay', rest: true },
    },
  },
  posting: {
    stockDirection: 'none',
    accountMovement: 'fee',
    opens: ['receivable_invoiced', 'payable_invoiced'],
    // A fee that the platform collects is owed to the platform, by the platform's own bill.
    skippedWhen: { collector: ['platform'] },
    postings: doc => ({
      entries:
        doc.collector === 'platform'
          ? []
          : doc.lines.map(
              (line): Entry => ({ line_no: line.line_no, account: 'receivable_invoiced', amount: line.taxed_amount }),
            ),
    }),
  },
  intercompany: {
    copies: [
      {
        on: 'review',
        agreedWhen: { confirm_state: ['2', '4'] },
        recipient: doc => (doc.collector === 'platform' ? null : doc.counterparty_sn),
        header: [...sentHeader, 'hospital_sn'],
        lines: [...sentLines],
        message: { title: '收到新的服务费单，请确认', uri: 'serviceChargeManageDEALER' },
      },
      {
        on: 'review',
        recipient: doc => doc.collector_sn,
        creates: { kind: 'serviceCharge', state: 'submitted' },
        header: [...sentHeader, 'collector', 'payer_sn'],
        lines: [...sentLines],
        message: { title: '医院委托收取的服务费，请审核', uri: 'bwInvoice' },
      },
    ],
  },
  screens: [
    {
      route: '/hospital/serviceChargeManage',
      title: '服务费管理',
      tab: '服务费单',
      leads: true,
      orgs: 'H',
      menu: '结算管理',
      purpose: '每月按已确认的结算单和供应商费率算出服务费，发送供应商确认，收取或从货款抵扣',
      columns: [
        'sn',
        'begin_date',
        'end_date',
        'counterparty_sn',
        'collector',
        'settlement_count',
        'base_amount',
        'average_rate',
        'fee_amount',
        'adjust_amount',
        'taxed_amount',
        'collect_method',
        'confirm_state',
        'answer_reason',
        'invoice_request',
        'invoice_no',
        'invoice_date',
        'invoiced_amount',
        'pay_state',
        'paid_amount',
        'unpaid_amount',
        'handler_inner_sn',
        'created_at',
        'reviewed_by_name',
        'record_state',
        'state',
      ],
      filters: [
        'sn',
        'begin_date',
        'end_date',
        'counterparty_sn',
        'settlement_no',
        'fee_class',
        'collect_method',
        'collector',
        'confirm_state',
        'pay_state',
        'state',
      ],
    },
    {
      route: '/commonView/bwInvoice',
      title: '百望电子发票',
      tab: '服务费单',
      orgs: 'P',
      menu: '结算管理',
      purpose: '医院委托平台收取的服务费：审核后发送供应商确认，收款并开具发票',
      columns: [
        'sn',
        'hospital_sn',
        'counterparty_sn',
        'begin_date',
        'end_date',
        'settlement_count',
        'base_amount',
        'taxed_amount',
        'confirm_state',
        'answer_reason',
        'invoice_request',
        'invoice_no',
        'invoice_date',
        'invoiced_amount',
        'pay_state',
        'paid_amount',
        'unpaid_amount',
        'due_date',
        'reviewed_by_name',
        'state',
      ],
      filters: [
        'sn',
        'hospital_sn',
        'counterparty_sn',
        'begin_date',
        'end_date',
        'settlement_no',
        'confirm_state',
        'pay_state',
        'state',
      ],
      // The hospital's own bill, of which these are made, is sent to the platform and is not the platform's.
      where: { collector: 'own' },
      actions: [
        'edit',
        'submit',
        'unsubmit',
        'review',
        'reject',
        'unreview',
        'redReverse',
        'toInvoice',
        'issueInvoice',
        'redInvoice',
        'collect',
        'record',
        'unrecord',
      ],
    },
    {
      route: '/commonView/serviceChargeManageDEALER',
      title: '服务费管理',
      tab: '服务费单',
      leads: true,
      orgs: 'DV',
      menu: '结算管理',
      purpose: '核对医院按结算收取的服务费，确认或提出异议，付款、抵扣并取得发票',
      columns: dealerColumns,
      filters: [
        'sn',
        'counterparty_sn',
        'begin_date',
        'end_date',
        'settlement_no',
        'collect_method',
        'confirm_state',
        'pay_state',
        'invoice_request',
        'state',
      ],
    },
  ],
})
