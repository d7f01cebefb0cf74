import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { eachLine, hasLines, needs } from '#modules/base/vocabulary/validators.ts'

/** The kinds of request that a supplier may send to a hospital it supplies. */
export const applicationTypes = {
  admission: '产品准入',
  price: '价格调整',
  change: '产品信息变更',
  certificate: '证照更新',
  consign: '寄售申请',
  end: '停止供货',
} as const
/** Marks for prices that the hospital should check carefully. */
const priceMarks = { listed: '高于挂网价', dearer: '高于现价' } as const
const results = { passed: '通过', refused: '不通过' } as const

type Doc = DocOf<typeof header, typeof lines>

const accepted = (doc: Doc): boolean => doc.accept_state === '2'
const notAccepted = (doc: Doc): true | string => !accepted(doc) || '医院已受理，不能撤回'
const isAccepted = (doc: Doc): true | string => accepted(doc) || '请先受理'
const allDecided = (doc: Doc): true | string => {
  const open = doc.lines.filter(line => !line.line_result).length
  if (open > 0) return `还有${open}行未处理`
  return doc.lines.some(line => line.line_result === 'passed') || '全部不通过，请驳回并填写不通过原因'
}

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择医院'),
    needs('application_type', '请选择申请类型'),
    needs('apply_reason', '请填写申请原因'),
    eachLine(
      (line, doc) =>
        doc.application_type !== 'price' ||
        (Boolean(line.old_price) && Boolean(line.new_price)) ||
        '请填写原价格和申请价格',
    ),
    eachLine(
      (line, doc) =>
        doc.application_type !== 'change' ||
        (Boolean(line.changed_field) && Boolean(line.new_value)) ||
        '请填写变更字段和申请值',
    ),
  ],
})
const there = { by: 'counterparty', from: ['submitted'], to: null } as const

const header = {
  application_type: f.pick('申请类型', applicationTypes, { width: 120 }),
  counterparty_sn: f.ref('医院/供应商', 'organisation', { required: true }),
  apply_reason: f.text('申请原因', { max: 300 }),
  expected_date: f.day('期望生效日期'),
  product_summary: f.text('产品摘要', { readOnly: true }),
  // If there are several lines, the one with the largest change is shown.
  shown_old_price: f.price('原价格', { readOnly: true }),
  shown_new_price: f.price('申请价格', { readOnly: true }),
  change_rate: f.rate('调整幅度', { readOnly: true }),
  applicant: f.text('申请人', { max: 40 }),
  contact_phone: f.text('联系电话', { max: 30 }),
  accept_state: f.pick('受理状态', { 1: '待受理', 2: '审批中' }, { readOnly: true }),
  accepted_by: f.text('受理人', { readOnly: true }),
  accepted_at: f.instant('受理时间', { readOnly: true }),
  result: f.pick('审批结果', { passed: '已通过', partly: '部分通过', refused: '未通过' }, { readOnly: true }),
  opinion: f.text('审批意见', { max: 300, dialogOnly: true }),
  answer_reason: f.text('不通过原因', { readOnly: true }),
  result_sn: f.text('结果单号', { readOnly: true }),
  // The following fields are visible to the hospital only.
  office: f.text('当前处理部门', { max: 60, dialogOnly: true }),
  answer_by: f.day('处理时限', { dialogOnly: true, orgs: 'H', hint: '应在这一天前答复供应商；留空为不限' }),
  decided_lines: f.text('已处理/总行数', { readOnly: true, orgs: 'H' }),
  internal_comment: f.text('内部意见', { max: 300, dialogOnly: true }),
  decide_lines: f.text('行号', {
    dialogOnly: true,
    max: 100,
    match: /^\d{1,4}([,，、 ]+\d{1,4})*$/,
    matchMsg: '行号请用逗号隔开，如 1,3',
    hint: '如 1,3；留空为全部未处理的行',
  }),
  decide_result: f.pick('处理结果', results, { dialogOnly: true }),
  decide_reason: f.text('不通过原因', { max: 200, dialogOnly: true }),
  business_date: f.day('申请日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件', { hint: '提交后随申请送到医院，医院可以打开' }),
  attachment_count: f.count('附件数', { readOnly: true }),
}
const lines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  changed_field: f.text('变更字段', { max: 40 }),
  old_value: f.text('原值', { max: 200 }),
  new_value: f.text('申请值', { max: 200 }),
  old_price: f.price('原价格', { min: '0' }),
  new_price: f.price('申请价格', { min: '0' }),
  change_rate: f.rate('调整幅度', { readOnly: true }),
  // Information on the requested price that only the hospital sees.
  price_mark: f.pick('价格提示', priceMarks, {
    readOnly: true,
    orgs: 'H',
    tones: { listed: 'danger', dearer: 'danger' },
  }),
  line_result: f.pick('审批结果', results, { readOnly: true }),
  line_reason: f.text('不通过原因', { readOnly: true }),
  remark: f.text('备注', { max: 200 }),
}

/**
 * 供应商申请单: a supplier asks a hospital to add a product, to change a price or a certificate, to hold goods on
 * consignment, or announces the end of its supply. The hospital accepts it, decides line by line, and answers; the
 * follow-up documents are separate.
 */
export const supplierApplication = defineDocument({
  kind: 'supplierApplication',
  title: '供应商申请单',
  numberPrefix: 'SQ',
  category: 'compliance',
  ownerTypes: 'DV',
  header,
  lines,
  lineRules: {
    basis: 'row',
    import: true,
  },
  actions: {
    submit: { ...life.submit, sets: { accept_state: '1', result: null } },
    unsubmit: { ...life.unsubmit, label: '撤回申请', guards: [notAccepted] },
    cancel: { ...life.cancel, from: ['draft', 'rejected', 'submitted'], guards: [notAccepted] },
    accept: {
      ...there,
      label: '受理',
      tone: 'primary',
      sets: { accept_state: '2' },
      inputs: ['answer_by'],
      shares: ['accepted_by', 'accepted_at'],
      guards: [doc => !accepted(doc) || '该申请已受理'],
    },
    lineDecide: {
      ...there,
      label: '逐行处理',
      inputs: ['decide_lines', 'decide_result', 'decide_reason'],
      sharesLines: ['line_result', 'line_reason'],
      guards: [
        isAccepted,
        needs('decide_result', '请选择处理结果'),
        doc => doc.decide_result !== 'refused' || Boolean(doc.decide_reason) || '请填写不通过原因',
      ],
    },
    transfer: {
      ...there,
      label: '转办',
      inputs: ['office'],
      localOnly: true,
      guards: [isAccepted, needs('office', '请填写处理部门')],
    },
    comment: {
      ...there,
      label: '内部意见',
      inputs: ['internal_comment'],
      localOnly: true,
      guards: [needs('internal_comment', '请填写内部意见')],
    },
    review: {
      ...there,
      to: 'reviewed',
      label: '审核',
      tone: 'primary',
      inputs: ['opinion'],
      shares: ['opinion', 'result', 'result_sn'],
      guards: [isAccepted, allDecided],
    },
    reject: {
      ...there,
      to: 'rejected',
      label: '驳回',
      tone: 'danger',
      requiresReason: '请填写不通过原因',
      sets: { result: 'refused', accept_state: '1' },
      guards: [isAccepted],
    },
    unreview: {
      by: 'counterparty',
      from: ['reviewed'],
      to: 'submitted',
      label: '反审核',
      sets: { result: null, result_sn: null },
    },
  },
  lifecycle: {
    stateLabels: { submitted: '待处理', reviewed: '已通过', rejected: '未通过', cancelled: '已撤回' },
  },
  posting: {
    stockDirection: 'none',
  },
  intercompany: {
    copies: [
      {
        on: 'submit',
        attachments: true,
        header: [
          'attachment_count',
          'application_type',
          'apply_reason',
          'expected_date',
          'product_summary',
          'shown_old_price',
          'shown_new_price',
          'change_rate',
          'applicant',
          'contact_phone',
          'accept_state',
        ],
        lines: ['changed_field', 'old_value', 'new_value', 'old_price', 'new_price', 'change_rate'],
        message: { title: '收到供应商申请，请受理', uri: 'supplierApplication' },
      },
    ],
  },
  screens: [
    {
      route: '/commonView/applicationManage',
      title: '申请管理',
      orgs: 'DV',
      menu: '机构管理',
      purpose: '向供货医院申请产品准入、调价、变更、寄售或停供，跟踪受理与答复',
      columns: [
        'sn',
        'application_type',
        'counterparty_sn',
        'line_count',
        'product_summary',
        'shown_old_price',
        'shown_new_price',
        'change_rate',
        'apply_reason',
        'applicant',
        'attachment_count',
        'business_date',
        'accept_state',
        'accepted_by',
        'accepted_at',
        'opinion',
        'answer_reason',
        'result',
        'result_sn',
        'state',
      ],
      filters: [
        'sn',
        'application_type',
        'counterparty_sn',
        'specification_sn',
        'business_date',
        'accept_state',
        'applicant',
        'state',
      ],
      actions: ['add', 'edit', 'del', 'submit', 'unsubmit', 'cancel'],
    },
    {
      route: '/hospital/hApplicationManage',
      title: '申请管理',
      orgs: 'H',
      menu: '产品管理',
      purpose: '受理供应商的申请，逐行处理并答复',
      columns: [
        'sn',
        'application_type',
        'counterparty_sn',
        'line_count',
        'product_summary',
        'apply_reason',
        'shown_old_price',
        'shown_new_price',
        'change_rate',
        'expected_date',
        'attachment_count',
        'created_at',
        'accept_state',
        'accepted_by',
        'accepted_at',
        'office',
        'answer_by',
        'decided_lines',
        'result',
        'result_sn',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'application_type',
        'counterparty_sn',
        'specification_sn',
        'created_at',
        'accept_state',
        'accepted_by',
        'answer_by',
        'attachment_count',
        'state',
      ],
      // A hospital's copy begins when the supplier submits.
      labels: { created_at: '提交时间' },
      filterLabels: { created_at: '提交日期' },
      where: { role: 'counterparty' },
      actions: ['accept', 'lineDecide', 'transfer', 'comment', 'review', 'reject', 'unreview'],
      waits: {
        action: 'accept',
        text: '供应商申请待受理',
        orgs: 'H',
        where: { role: 'counterparty', accept_state: '1', state: 'submitted' },
      },
    },
  ],
})
