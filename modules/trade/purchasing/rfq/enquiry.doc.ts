import { clock } from '#kernel/values/date.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle, stop } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { hasLines, needs, positiveQuantity } from '#modules/base/vocabulary/validators.ts'
import { askedGoods, counted, remarked } from '#modules/base/vocabulary/line-fields.ts'

/** The current time, in the format of documents. */
const now = (): string => (clock.at ?? new Date()).toISOString()
const isPast = (at: unknown): boolean => Date.parse(String(at)) <= Date.parse(now())

const header = {
  heading: f.text('询价标题', { required: true, max: 80 }),
  enquiry_method: f.pick('询价方式', { direct: '定向', open: '公开' }, { default: 'direct' }),
  suppliers: {
    ...f.codes('邀请供应商', { hint: '公开询价邀请全部往来供应商' }),
    target: 'organisation',
    optionsFilter: { relation: 'supplier' },
  },
  business_date: f.day('询价日期'),
  deadline: f.instant('报价截止时间'),
  expected_date: f.day('要求交货日期'),
  delivery_address: f.text('交货地址', { max: 200 }),
  payment_terms: f.text('付款方式', { max: 40 }),
  with_tax: f.flag('报价含税', { default: true }),
  contact: f.text('联系人', { max: 40 }),
  contact_phone: f.text('联系电话', { max: 30 }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  supplier_count: f.count('邀请供应商数', { readOnly: true }),
  answered_count: f.count('已报价数', { readOnly: true }),
  answered_by: { ...f.codes('已报价供应商', { readOnly: true }), target: 'organisation' },
  refused_by: { ...f.codes('放弃报价供应商', { readOnly: true }), target: 'organisation' },
  awarded_amount: f.amount('定标金额', { readOnly: true }),
  award_reason: f.text('定标说明', { max: 300, dialogOnly: true }),
  new_deadline: f.instant('新的截止时间', { dialogOnly: true }),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...askedGoods,
  brand_wish: f.text('品牌要求', { max: 60 }),
  ...counted('询价数量'),
  limit_price: f.price('最高限价', { min: '0', hint: '供应商看不到' }),
  allows_substitute: f.flag('允许替代品'),
  winner_sn: f.ref('中标供应商', 'organisation', { readOnly: true }),
  awarded_price: f.price('中标单价', { readOnly: true }),
  awarded_quantity: f.quantity('中标数量', { readOnly: true }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const deadlineAhead = (doc: Doc): true | string => !isPast(doc.deadline) || '报价截止时间必须晚于当前时间'
const invitesSomebody = (doc: Doc): true | string =>
  doc.enquiry_method === 'open' || ((doc.suppliers as readonly string[] | null) ?? []).length > 0 || '请选择邀请供应商'
const extends_ = (doc: Doc): true | string =>
  Date.parse(String(doc.new_deadline)) > Date.parse(String(doc.deadline)) ||
  '新的截止时间必须晚于原截止时间，截止时间不能提前'

const life = lifecycle<Doc>({
  submit: [hasLines, needs('deadline', '请填写报价截止时间'), deadlineAhead, invitesSomebody, positiveQuantity],
  review: [deadlineAhead],
  blockedMessage: '已有供应商报价或已截止，不能反审核',
})

/**
 * 询价单: the buyer asks several suppliers for prices of the same goods. Their answers stay sealed until the deadline
 * or until all have answered; then they are compared and awarded line by line, and orders or agreed prices follow.
 */
export const enquiry = defineDocument({
  kind: 'enquiry',
  title: '询价单',
  numberPrefix: 'XJ',
  category: 'procurement',
  ownerTypes: 'HD',
  header,
  lines,
  actions: {
    ...life,
    remind: { label: '催报价', from: ['reviewed'], to: null },
    extend: {
      label: '延长截止',
      from: ['reviewed'],
      to: null,
      inputs: ['new_deadline'],
      guards: [needs('new_deadline', '请填写新的截止时间'), extends_],
    },
    award: {
      label: '定标',
      from: ['partial'],
      to: 'completed',
      tone: 'primary',
      inputs: ['award_reason'],
      parts: {
        awards: {
          line_no: f.count('行号'),
          supplier_sn: f.ref('供应商', 'organisation'),
          quantity: f.quantity('中标数量'),
        },
      },
    },
    toOrder: { label: '转采购订单', from: ['completed'], to: null, tone: 'primary' },
    toPrice: { label: '转询价登记', from: ['completed'], to: null },
    stop,
    // After the deadline, or with the last answer, the enquiry waits for its award; this happens automatically.
    close: { label: '截止', from: ['reviewed'], to: 'partial', by: 'counterparty' },
  },
  lifecycle: {
    stateLabels: { reviewed: '报价中', partial: '待定标', completed: '已定标' },
    listActions: {
      compare: {
        label: '比价',
        onDocument: true,
        inputs: { sn: f.text('询价单号', { required: true }) },
        documents: { sn: 'enquiry' },
      },
    },
  },
  sourcing: {
    sources: [
      {
        from: 'purchasePlan',
        for: 'plan',
        sourceType: sourceTypes.PLAN,
        purpose: 'enquire',
        sharesLimitWith: ['order'],
        countedAt: 'submit',
        multipleSources: true,
        localOnly: true,
        retained: 'awarded_quantity',
        overdrawnMessage: '询价数量超过计划剩余数量{n}',
      },
    ],
  },
  posting: {
    stockDirection: 'named',
  },
  intercompany: {
    copies: [
      {
        on: 'review',
        toAll: 'suppliers',
        creates: { kind: 'quotation', state: 'draft' },
        hidePrices: true,
        header: [
          'heading',
          'deadline',
          'expected_date',
          'delivery_address',
          'payment_terms',
          'with_tax',
          'contact',
          'contact_phone',
        ],
        lines: ['brand_wish', 'allows_substitute'],
        message: { title: '收到询价，请在截止前报价', uri: 'quotation' },
      },
    ],
  },
  screens: [
    {
      route: '/commonView/enquiryList',
      title: '询价单',
      orgs: 'HD',
      menu: '采购管理',
      purpose: '向多家供应商询价，报价截止前密封，截止后比价并逐行定标',
      columns: [
        'sn',
        'heading',
        'enquiry_method',
        'source_sn',
        'business_date',
        'deadline',
        'supplier_count',
        'answered_count',
        'line_count',
        'awarded_amount',
        'handler_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'state',
        'remark',
      ],
      keyColumns: ['sn', 'state', 'heading', 'deadline', 'answered_count', 'awarded_amount'],
      filters: [
        'sn',
        'heading',
        'enquiry_method',
        'business_date',
        'deadline',
        'suppliers',
        'specification_sn',
        'handler_inner_sn',
        'state',
      ],
      actions: [
        'add',
        'edit',
        'del',
        'submit',
        'unsubmit',
        'review',
        'reject',
        'unreview',
        'remind',
        'extend',
        'award',
        'toOrder',
        'toPrice',
        'stop',
        'cancel',
      ],
      waits: { action: 'award', text: '询价单待定标', orgs: 'HD', where: { state: 'partial' } },
    },
  ],
})
