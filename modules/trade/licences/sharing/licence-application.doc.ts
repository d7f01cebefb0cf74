import { today } from '#kernel/values/date.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import { hasLines, inOrder, needs } from '#modules/base/vocabulary/validators.ts'
import { licenceTypes } from '#modules/trade/licensing/licence-types.ts'

export const purposes = { first: '首营审核', renewal: '证照更新', tender: '招标', admission: '院内准入' } as const
export const orgTypes = { H: '医院', D: '经销商', V: '厂商' } as const

const header = {
  partner_sn: f.ref('被申请机构', 'organisation', { required: true, optionsFilter: { scope: 'all' } }),
  partner_type: f.pick('机构类型', orgTypes, { readOnly: true }),
  counterparty_sn: f.ref('申请机构', 'organisation', { readOnly: true }),
  purpose: f.pick('申请用途', purposes, { default: 'renewal' }),
  period_from: f.day('申请期限起', { default: 'today' }),
  period_to: f.day('申请期限至'),
  may_print: f.flag('是否允许打印', { default: false }),
  applicant: f.text('申请人', { max: 40 }),
  contact_phone: f.text('联系电话', { max: 30 }),
  asked_count: f.count('申请证照数', { readOnly: true }),
  granted_count: f.count('已授权证照数', { readOnly: true }),
  handled_by: f.text('对方处理人', { readOnly: true }),
  handled_at: f.instant('处理时间', { readOnly: true }),
  answer_reason: f.text('处理意见', { readOnly: true }),
  reminded_on: f.day('最近催办', { readOnly: true }),
  business_date: f.day('申请日期'),
  remark: f.longText('说明', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  licence_type: f.pick('证照类型', licenceTypes, { required: true, width: 190 }),
  specification_sn: f.ref('产品（注册证、授权书时）', 'specification'),
  is_needed: f.flag('是否必需', { hint: '留空为必需' }),
  their_licence_no: f.text('对方证照编号', { readOnly: true }),
  their_valid_to: f.day('有效期至', { readOnly: true }),
  line_result: f.pick('授权结果', { pending: '待处理', granted: '已授权', refused: '已拒绝' }, { readOnly: true }),
  line_reason: f.text('拒绝原因', { readOnly: true }),
  scans: f.files('扫描件', { readOnly: true }),
  line_answered_at: f.instant('答复时间', { readOnly: true }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

const eachTypeOnce = (doc: Doc): true | string => {
  const seen = new Set<string>()
  for (const line of doc.lines) {
    const key = `${String(line.licence_type)} ${String(line.specification_sn ?? '')}`
    if (seen.has(key)) return `第${line.line_no}行：${String(line.licence_type)}重复`
    seen.add(key)
  }
  return true
}

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('partner_sn', '请选择被申请机构'),
    needs('purpose', '请选择申请用途'),
    eachTypeOnce,
    inOrder('period_from', 'period_to', '申请期限至不能早于申请期限起'),
  ],
})
const byGrant = (): string => '请用授权单答复'
const there = { by: 'counterparty', from: ['submitted'] } as const
const tab = {
  route: '/commonView/applicationLic',
  title: '证照申请',
  orgs: 'HDV',
  menu: '证照管理',
} as const satisfies Partial<Screen>

/**
 * 证照申请: a buyer or seller asks a partner for the licences it needs to start or continue trading. The partner answers
 * with an authorisation, licence by licence, or refuses; granted licences go into the archive.
 */
export const licenceApplication = defineDocument({
  kind: 'licenceApplication',
  title: '证照申请',
  numberPrefix: 'ZZ',
  category: 'compliance',
  ownerTypes: 'HDV',
  header,
  lines,
  lineRules: {
    basis: 'row',
  },
  actions: {
    template: {
      label: '套用清单模板',
      from: ['draft', 'rejected'],
      to: null,
      guards: [needs('partner_sn', '请选择被申请机构')],
    },
    submit: { ...life.submit, label: '提交' },
    unsubmit: life.unsubmit,
    cancel: { ...life.cancel, from: ['draft', 'rejected', 'submitted'] },
    remind: { label: '催办', from: ['submitted'], to: null },
    toRecord: { label: '存入档案', from: ['partial', 'reviewed'], to: null, tone: 'primary' },
    toGrant: { ...there, label: '生成授权单', to: null, localOnly: true, tone: 'primary' },
    refuse: {
      ...there,
      label: '拒绝',
      to: 'rejected',
      tone: 'danger',
      requiresReason: '请填写拒绝原因',
      shares: ['handled_by', 'handled_at'],
      sharesLines: ['line_result', 'line_answered_at'],
    },
    // Done by the authorisation that answers it, and on a schedule: no button.
    grantAll: { ...there, label: '已授权', to: 'reviewed', guards: [byGrant] },
    grantPart: { ...there, label: '部分授权', to: 'partial', guards: [byGrant] },
    expire: {
      by: 'counterparty',
      label: '已到期',
      from: ['partial', 'reviewed'],
      to: 'stopped',
      guards: [doc => String(doc.period_to ?? '9999') < today() || '申请期限未到'],
    },
  },
  lifecycle: {
    stateLabels: {
      submitted: '待对方处理',
      partial: '部分授权',
      reviewed: '已授权',
      rejected: '已拒绝',
      stopped: '已到期',
    },
    listActions: {
      remindMany: {
        label: '批量催办',
        inputs: {
          partner_sn: f.ref('被申请机构', 'organisation', { optionsFilter: { scope: 'all' }, hint: '留空为全部机构' }),
          licence_type: f.pick('证照类型', licenceTypes, { hint: '留空为全部类型' }),
        },
      },
    },
  },
  posting: {
    stockDirection: 'none',
  },
  intercompany: {
    copies: [
      {
        on: 'submit',
        recipient: doc => doc.partner_sn,
        header: ['purpose', 'period_from', 'period_to', 'may_print', 'applicant', 'contact_phone', 'asked_count'],
        lines: ['licence_type', 'is_needed', 'line_result'],
        message: { title: '收到证照申请，请处理', uri: 'licenceApplication' },
      },
    ],
  },
  screens: [
    {
      ...tab,
      tab: '我申请的',
      leads: true,
      purpose: '向往来机构（或准备往来的机构）申请证照，对方在线授权后存入证照档案',
      columns: [
        'sn',
        'partner_sn',
        'partner_type',
        'purpose',
        'asked_count',
        'granted_count',
        'period_from',
        'period_to',
        'applicant',
        'business_date',
        'handled_by',
        'handled_at',
        'answer_reason',
        'state',
        'remark',
      ],
      filters: ['sn', 'partner_sn', 'partner_type', 'licence_type', 'purpose', 'business_date', 'state'],
      actions: ['add', 'edit', 'del', 'template', 'submit', 'unsubmit', 'remind', 'cancel', 'toRecord'],
      where: { role: 'own' },
    },
    {
      ...tab,
      tab: '向我申请的',
      purpose: '其他机构向本机构申请证照：生成授权单逐张同意或拒绝，或整单拒绝并说明原因',
      columns: [
        'sn',
        'counterparty_sn',
        'purpose',
        'asked_count',
        'granted_count',
        'period_from',
        'period_to',
        'may_print',
        'applicant',
        'contact_phone',
        'business_date',
        'handled_by',
        'handled_at',
        'answer_reason',
        'state',
        'remark',
      ],
      filters: ['sn', 'counterparty_sn', 'licence_type', 'purpose', 'business_date', 'state'],
      actions: ['toGrant', 'refuse'],
      where: { role: 'counterparty' },
      waits: {
        action: 'toGrant',
        text: '证照申请待处理',
        orgs: 'HDV',
        where: { role: 'counterparty', state: 'submitted' },
      },
    },
  ],
})
