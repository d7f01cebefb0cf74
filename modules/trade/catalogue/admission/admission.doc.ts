import { type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { eachLine, hasLines, needs, needsWhen } from '#modules/base/vocabulary/validators.ts'

/** The progress of an application: checked, negotiated, voted. */
export const admissionNodes = {
  asked: '科室申请',
  checked: '资质核验',
  priced: '议价',
  voted: '委员会表决',
  approved: '批准',
} as const

type Doc = DocOf<typeof header, typeof lines>

const at = (doc: Doc, ...nodes: readonly string[]): boolean => nodes.includes(String(doc.node ?? 'asked'))
type Votes = 'votes_for' | 'votes_against' | 'votes_none' | 'voters'
const count = (doc: Doc, name: Votes): number => parseInteger(doc[name] ?? 0)

const votesAddUp = (doc: Doc): true | string =>
  count(doc, 'votes_for') + count(doc, 'votes_against') + count(doc, 'votes_none') === count(doc, 'voters') ||
  '表决人数与参会人数不符'
const majority = (doc: Doc): true | string => {
  const cast = count(doc, 'votes_for') + count(doc, 'votes_against') + count(doc, 'votes_none')
  return (cast > 0 && count(doc, 'votes_for') * 2 > cast) || '同意票未超过半数，不能批准'
}
const allPriced = eachLine<Doc>(line => isPositive((line.agreed_price as string | null) ?? '0') || '请填写议定价')

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('department_inner_sn', '请选择申请科室'),
    needs('counterparty_sn', '请选择供应商'),
    needs('clinical_use', '请填写临床用途'),
    needsWhen('access_type', 'once', 'patient_no', '临时采购请填写住院号'),
    needsWhen('access_type', 'once', 'diagnosis', '临时采购请填写诊断'),
    needsWhen('access_type', 'once', 'valid_to', '临时采购请填写有效期'),
    eachLine<Doc>(
      (line, doc) =>
        doc.access_type !== 'once' ||
        isPositive((line.limit_quantity as Decimal | null) ?? '0') ||
        '临时采购请填写采购数量',
    ),
  ],
  review: [doc => at(doc, 'voted') || '请先完成资质核验、议价与委员会表决', majority],
  labels: { review: '批准' },
  rejectReason: '请填写驳回原因',
})
const step = { from: ['submitted'], to: null } as const

const header = {
  access_type: f.pick(
    '准入类型',
    { usual: '常规准入', once: '临时采购', collective: '集采中选', replacing: '替换' },
    { default: 'usual' },
  ),
  department_inner_sn: f.ref('申请科室', 'department'),
  handler_inner_sn: f.ref('申请人', 'employee'),
  counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
  node: f.pick('审批节点', admissionNodes, { readOnly: true }),
  clinical_use: f.text('临床用途', { max: 300 }),
  replaces: f.text('替代产品', { max: 200 }),
  similar: f.text('同类在用产品', { max: 200 }),
  is_chargeable: f.flag('是否可收费', { default: false }),
  valid_to: f.day('临时采购至'),
  patient_no: f.text('住院号', { max: 40, patient: true }),
  diagnosis: f.text('诊断', { max: 100, patient: true }),
  product_summary: f.text('产品名称', { readOnly: true }),
  specification_summary: f.text('规格型号', { readOnly: true }),
  maker_summary: f.text('生产厂家', { readOnly: true }),
  certificate_summary: f.text('注册证号', { readOnly: true }),
  // The highest of several lines.
  shown_offered: f.price('申报价', { readOnly: true }),
  shown_agreed: f.price('议定价', { readOnly: true }),
  shown_listed: f.price('挂网价', { readOnly: true }),
  shown_monthly: f.quantity('预计月用量', { readOnly: true }),
  vote_result: f.text('表决结果', { readOnly: true }),
  negotiation: f.text('议价记录', { max: 300, dialogOnly: true }),
  check_note: f.text('核验说明', { max: 200, dialogOnly: true }),
  meeting_on: f.day('委员会会议日期', { dialogOnly: true }),
  voters: f.count('参会人数', { min: '1', max: 999, dialogOnly: true }),
  votes_for: f.count('同意人数', { min: '0', max: 999, dialogOnly: true }),
  votes_against: f.count('反对人数', { min: '0', max: 999, dialogOnly: true }),
  votes_none: f.count('弃权人数', { min: '0', max: 999, dialogOnly: true }),
  effective_on: f.day('价格生效日期'),
  source_application_no: f.text('供应商申请编号', { readOnly: true }),
  business_date: f.day('申请日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true, optionsFilter: { scope: 'released' } }),
  certificate_no: f.text('注册证号', { readOnly: true }),
  certificate_valid_to: f.day('注册证有效期至', { readOnly: true }),
  offered_price: f.price('申报价', { min: '0' }),
  agreed_price: f.price('议定价', { min: '0' }),
  listed_price: f.price('挂网价', { min: '0' }),
  insurance_code: f.text('医保耗材编码', { match: /^C\d{19}$/, matchMsg: '医保耗材编码格式应为C加19位数字' }),
  supply_regime: f.pick('货权方式', { purchased: '买断', consigned: '寄售' }, { default: 'purchased' }),
  managed_by: f.pick('管理方式', { lot: '批次', unit: '一物一码' }, { default: 'lot' }),
  limit_quantity: f.quantity('临时采购数量', {
    min: '0',
    hint: '临时采购填写：采购达到此数量（基本单位）后不能再下单',
  }),
  monthly_quantity: f.quantity('预计月用量', { min: '0' }),
  remark: f.text('备注', { max: 200 }),
}

/**
 * 产品准入申请: a department requests goods; the office checks licences and price, the committee votes, and what is
 * approved enters the hospital's catalogue.
 */
export const admission = defineDocument({
  kind: 'admission',
  title: '产品准入申请',
  numberPrefix: 'ZR',
  category: 'compliance',
  ownerTypes: 'H',
  header,
  lines,
  lineRules: {
    basis: 'row',
  },
  actions: {
    submit: { ...life.submit, sets: { node: 'asked' } },
    unsubmit: { ...life.unsubmit, guards: [doc => at(doc, 'asked') || '已开始资质核验，不能撤回'] },
    certCheck: {
      ...step,
      label: '资质核验',
      inputs: ['check_note'],
      sets: { node: 'checked' },
      guards: [doc => at(doc, 'asked') || '已完成资质核验'],
    },
    negotiate: {
      ...step,
      label: '录入议价',
      inputs: ['negotiation'],
      sets: { node: 'priced' },
      guards: [doc => at(doc, 'checked') || '请先完成资质核验', needs('negotiation', '请填写议价记录'), allPriced],
    },
    vote: {
      ...step,
      label: '录入表决',
      inputs: ['meeting_on', 'voters', 'votes_for', 'votes_against', 'votes_none'],
      sets: { node: 'voted' },
      guards: [doc => at(doc, 'priced', 'voted') || '请先完成议价', needs('meeting_on', '请填写会议日期'), votesAddUp],
    },
    review: { ...life.review, sets: { node: 'approved' } },
    reject: { ...life.reject, sets: { node: 'asked' } },
    cancel: { ...life.cancel, from: ['draft', 'rejected', 'submitted'] },
    stopAdmit: { label: '终止准入', from: ['reviewed'], to: 'stopped', requiresReason: true, tone: 'danger' },
  },
  lifecycle: {
    stateLabels: { submitted: '办理中', reviewed: '已准入', stopped: '已终止准入' },
    editableWhenSubmitted: ['agreed_price', 'listed_price', 'insurance_code', 'supply_regime', 'managed_by'],
  },
  posting: {
    stockDirection: 'none',
  },
  screens: [
    {
      route: '/hospital/admissionManage',
      title: '产品准入管理',
      orgs: 'H',
      menu: '产品管理',
      purpose: '科室申请新产品，经资质核验、议价与委员会表决，批准后进入医院产品目录',
      columns: [
        'sn',
        'access_type',
        'department_inner_sn',
        'handler_inner_sn',
        'product_summary',
        'specification_summary',
        'maker_summary',
        'line_count',
        'counterparty_sn',
        'certificate_summary',
        'shown_offered',
        'shown_agreed',
        'shown_listed',
        'shown_monthly',
        'node',
        'vote_result',
        'business_date',
        'valid_to',
        'source_application_no',
        'reviewed_at',
        'state',
      ],
      keyColumns: ['sn', 'state', 'access_type', 'product_summary', 'department_inner_sn', 'node', 'business_date'],
      filters: [
        'sn',
        'access_type',
        'department_inner_sn',
        'specification_sn',
        'counterparty_sn',
        'business_date',
        'node',
        'state',
      ],
      waits: { action: 'certCheck', text: '产品准入待办理', orgs: 'H', where: { state: 'submitted' } },
    },
  ],
})
