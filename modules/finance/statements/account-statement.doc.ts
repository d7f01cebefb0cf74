import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { isZero } from '#kernel/values/decimal.ts'
import { hasLines, inOrder, needs, figure } from '#modules/base/vocabulary/validators.ts'

const confirmStates = { '1': '待确认', '2': '已确认', '3': '有异议' } as const
const directions = { payable: '应付（我方欠对方）', receivable: '应收（对方欠我方）' } as const

const header = {
  counterparty_sn: f.ref('往来单位', 'organisation', { required: true }),
  direction: f.pick('方向', directions, { required: true, default: 'payable' }),
  begin_date: f.day('期间起', { required: true }),
  end_date: f.day('对账截止日', { required: true, hint: '以该日终了的账面余额为准' }),
  opening_amount: f.amount('期初余额', { readOnly: true }),
  raised_amount: f.amount('本期增加', { readOnly: true }),
  lowered_amount: f.amount('本期减少', { readOnly: true }),
  closing_amount: f.amount('发函方期末余额', { readOnly: true }),
  their_balance: f.amount('收函方账面余额', { dialogOnly: true }),
  difference_amount: f.amount('差异', { readOnly: true }),
  missing_documents: f.longText('收函方独有的单据', { readOnly: true, max: 4000 }),
  confirm_state: f.pick('确认状态', confirmStates, { readOnly: true, default: '1' }),
  answer_reason: f.text('异议原因', { readOnly: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('制单日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('回函'),
}
const lines = {
  document_name: f.text('单据类型', { readOnly: true }),
  document_no: f.text('单号', { readOnly: true, width: 150 }),
  invoice_no: f.text('发票号码', { readOnly: true }),
  posted_on: f.day('记账日期', { readOnly: true }),
  taxed_amount: f.amount('发函方金额', { readOnly: true }),
  their_amount: f.amount('收函方金额', { readOnly: true }),
  difference_text: f.text('核对结果', { readOnly: true, width: 160 }),
  document_key: f.text('对应单号', { readOnly: true, internal: true }),
}
type Doc = DocOf<typeof header, typeof lines>

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择往来单位'),
    inOrder('begin_date', 'end_date', '期间止不能早于期间起'),
  ],
  labels: { submit: '发送对账函', unsubmit: '撤回对账函' },
})
const answer = { from: ['submitted'], by: 'counterparty', sharesLines: ['their_amount', 'difference_text'] } as const
const theirs = ['their_balance', 'difference_amount', 'missing_documents'] as const

/**
 * 对账函: the balance with a partner at the end of a day, fixed when it is sent: the opening, then each document of the
 * period with its effect on the balance. The partner's books are read when the partner answers: its balance and its
 * amount of each document are shown beside ours, and documents that only it has are named. It books nothing.
 */
export const accountStatement = defineDocument({
  kind: 'accountStatement',
  title: '对账函',
  numberPrefix: 'DZ',
  category: 'finance',
  ownerTypes: 'HDV',
  header,
  lines,
  lineRules: {
    basis: 'amount',
    given: '保存后列出期初余额和期间内的单据',
    unlisted: ['document_key'],
  },
  actions: {
    submit: { ...life.submit, sets: { confirm_state: '1' } },
    unsubmit: life.unsubmit,
    confirm: {
      ...answer,
      label: '确认对账',
      to: 'reviewed',
      tone: 'primary',
      shares: theirs,
      sets: { confirm_state: '2' },
      guards: [
        doc =>
          isZero(figure(doc, 'difference_amount')) ||
          `双方余额相差${figure(doc, 'difference_amount')}元，请提出异议，或核对入账后再确认`,
      ],
    },
    dispute: {
      ...answer,
      label: '提出异议',
      to: 'rejected',
      tone: 'danger',
      requiresReason: '请填写异议原因',
      shares: theirs,
      sets: { confirm_state: '3' },
    },
    registerReply: {
      label: '登记回函',
      from: ['submitted'],
      to: 'reviewed',
      inputs: ['their_balance'],
      sets: { confirm_state: '2' },
      guards: [needs('their_balance', '请填写收函方账面余额')],
    },
    cancel: { ...life.cancel, from: ['draft', 'rejected', 'submitted'] },
  },
  lifecycle: {
    stateLabels: { submitted: '待对方确认', reviewed: '对方已确认', rejected: '对方有异议' },
  },
  posting: { stockDirection: 'none' },
  intercompany: {
    copies: [
      {
        on: 'submit',
        header: [
          'direction',
          'begin_date',
          'end_date',
          'opening_amount',
          'raised_amount',
          'lowered_amount',
          'closing_amount',
          'confirm_state',
        ],
        lines: ['document_name', 'document_no', 'invoice_no', 'posted_on', 'document_key'],
        message: { title: '收到对账函，请核对确认', uri: 'receivablePayableForm' },
      },
    ],
  },
  screens: [
    {
      route: '/commonView/receivablePayableForm',
      title: '应收应付汇总表',
      tab: '对账函',
      orgs: 'HDV',
      menu: '财务管理',
      purpose: '把一天终了的往来余额发给对方核对，对方确认或提出异议，差异落到单据；双方都留存',
      columns: [
        'sn',
        'org_name',
        'counterparty_sn',
        'direction',
        'begin_date',
        'end_date',
        'opening_amount',
        'raised_amount',
        'lowered_amount',
        'closing_amount',
        'their_balance',
        'difference_amount',
        'confirm_state',
        'answer_reason',
        'created_by_name',
        'submitted_at',
        'state',
      ],
      filters: ['sn', 'counterparty_sn', 'direction', 'begin_date', 'end_date', 'confirm_state', 'state'],
    },
  ],
})
