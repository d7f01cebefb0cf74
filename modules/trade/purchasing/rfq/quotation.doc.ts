import { clock } from '#kernel/values/date.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { hasLines, needs } from '#modules/base/vocabulary/validators.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'

const header = {
  counterparty_sn: f.ref('询价机构', 'organisation', { readOnly: true }),
  enquiry_sn: f.text('询价单编号', { readOnly: true }),
  heading: f.text('询价标题', { readOnly: true }),
  deadline: f.instant('报价截止时间', { readOnly: true }),
  expected_date: f.day('要求交货日期', { readOnly: true }),
  delivery_address: f.text('交货地址', { readOnly: true }),
  contact: f.text('联系人', { readOnly: true }),
  contact_phone: f.text('询价方电话', { readOnly: true }),
  business_date: f.day('询价日期', { readOnly: true }),
  valid_until: f.day('报价有效期至'),
  promised_days: f.count('承诺交货天数', { min: '0', max: 365 }),
  payment_terms: f.text('付款条件', { max: 40 }),
  with_freight: f.flag('含运费', { default: true }),
  quoter: f.text('报价人', { max: 40 }),
  quoter_phone: f.text('联系电话', { max: 30 }),
  award_state: f.pick('中标状态', { won: '中标', partly: '部分中标', lost: '未中标' }, { readOnly: true }),
  opened_at: f.instant('开标时间', { readOnly: true }),
  answer_reason: f.text('说明', { readOnly: true }),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('资质附件'),
}
const lines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true, readOnly: true }),
  unit_inner_sn: f.ref('单位', 'unitTree', { readOnly: true }),
  brand_wish: f.text('品牌要求', { readOnly: true }),
  quantity: f.quantity('询价数量', { readOnly: true }),
  price: f.price('含税单价', { min: '0' }),
  tax_rate: f.taxRate('税率'),
  asked_line_no: f.count('询价行号', { readOnly: true }),
  no_offer: f.flag('不报价'),
  allows_substitute: f.flag('可报替代品', { readOnly: true }),
  offered_specification_sn: f.ref('报价产品（替代品）', 'specification'),
  min_order: f.quantity('最小起订量', { min: '0' }),
  lead_days: f.count('交货天数', { min: '0', max: 365 }),
  awarded_quantity: f.quantity('中标数量', { readOnly: true }),
  awarded_price: f.price('中标单价', { readOnly: true }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const inTime =
  (action: string) =>
  (doc: Doc): true | string =>
    Date.parse(String(doc.deadline)) > (clock.at ?? new Date()).getTime() || `报价已截止，不能${action}`

const everyLinePriced = (doc: Doc): true | string => {
  const open = doc.lines.find(line => line.no_offer !== true && !isPositive(line.price))
  return open === undefined || `第${open.line_no}行请填写报价或勾选不报价`
}
const offersSomething = (doc: Doc): true | string =>
  doc.lines.some(line => line.no_offer !== true) || '全部不报价，请点击放弃报价'

/** Whole days for which an offer is valid: at least to the date of the deadline, in local time. */
const standsLongEnough = (doc: Doc): true | string => {
  const until = doc.valid_until
  const last = new Date(Date.parse(String(doc.deadline)) + 8 * 3_600_000).toISOString().slice(0, 10)
  return !until || String(until) >= last || '报价有效期至不能早于报价截止日期'
}

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    inTime('提交'),
    everyLinePriced,
    offersSomething,
    needs('valid_until', '请填写报价有效期至'),
    standsLongEnough,
  ],
})

/**
 * 报价单: a supplier's answer to an enquiry. The enquiry creates it; once submitted, the buyer only sees that there is
 * an answer: prices and terms are sent when the enquiry is closed.
 */
export const quotation = defineDocument({
  kind: 'quotation',
  title: '报价单',
  numberPrefix: 'BJ',
  category: 'procurement',
  ownerTypes: 'DV',
  header,
  lines,
  lineRules: {
    // A supplier fills prices into the exported sheet of the requested goods.
    import: { by: ['quantity'], writes: ['price', 'tax_rate', 'no_offer', 'min_order', 'lead_days', 'remark'] },
  },
  actions: {
    submit: { ...life.submit, label: '提交报价' },
    unsubmit: { ...life.unsubmit, guards: [inTime('撤回')] },
    refuse: {
      label: '放弃报价',
      from: ['draft'],
      to: 'cancelled',
      requiresReason: '请填写放弃原因',
      tone: 'danger',
      guards: [inTime('放弃')],
    },
    // Run by the organisation that asked, and on a schedule: no button.
    award: { label: '定标结果', by: 'counterparty', from: ['submitted'], to: 'reviewed' },
    expire: { label: '报价截止', by: 'counterparty', from: ['draft'], to: 'stopped' },
  },
  lifecycle: {
    stopsWithSource: true,
    manualEntry: false,
    stateLabels: {
      draft: '待报价',
      submitted: '已报价',
      cancelled: '已放弃',
      stopped: '已截止',
      reviewed: '已定标',
    },
  },
  sourcing: {
    sources: [
      {
        from: 'enquiry',
        for: 'enquiry',
        sourceType: sourceTypes.ENQUIRY,
        purpose: 'enquire',
        fromCounterparty: true,
        localOnly: true,
        nonConsuming: true,
        // The tax rate is the seller's, not the buyer's.
        dropsFields: ['tax_rate'],
      },
    ],
  },
  posting: {
    stockDirection: 'named',
  },
  intercompany: {
    copies: [
      { on: 'submit', hidePrices: true, withoutRemarks: true, header: ['enquiry_sn'], lines: ['asked_line_no'] },
    ],
  },
  screens: [
    {
      route: '/commonView/inquiryManagement',
      title: '询价管理',
      orgs: 'DV',
      menu: '采购管理',
      purpose: '客户发来的询价：截止前报价，报价密封，定标后查看本机构的中标结果',
      columns: [
        'sn',
        'source_sn',
        'counterparty_sn',
        'counterparty_type',
        'heading',
        'business_date',
        'deadline',
        'time_left',
        'line_count',
        'offered_count',
        'taxed_amount',
        'valid_until',
        'award_state',
        'quoter',
        'submitted_at',
        'state',
      ],
      filters: [
        'sn',
        'source_sn',
        'counterparty_sn',
        'business_date',
        'deadline',
        'specification_sn',
        'award_state',
        'quoter',
        'state',
      ],
      actions: ['edit', 'submit', 'unsubmit', 'refuse'],
      waits: { action: 'submit', text: '询价待报价', orgs: 'DV', where: { state: 'draft' } },
    },
  ],
})
