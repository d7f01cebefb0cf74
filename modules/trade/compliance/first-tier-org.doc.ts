import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { eachLine, hasFiles, hasLines, needs } from '#modules/base/vocabulary/validators.ts'
import { filedLicences } from '#modules/trade/compliance/filed-licences.ts'

/** Licences that state the scope within which devices are made or traded. */
export const trades = ['医疗器械生产许可证', '医疗器械经营许可证', '第二类医疗器械经营备案凭证']
/** The minimum file of a supplier; of alternatives one is enough. */
const ofSupplier: readonly (readonly string[])[] = [
  ['营业执照'],
  ['医疗器械生产许可证', '医疗器械经营许可证', '第二类医疗器械经营备案凭证'],
  ['授权书'],
  ['法人授权委托书（销售人员）'],
  ['销售人员身份证'],
  ['质量保证协议'],
  ['开票信息/开户许可证'],
]
const ofCustomer: readonly (readonly string[])[] = [
  ['营业执照', '事业单位法人证书'],
  ['医疗器械经营许可证', '第二类医疗器械经营备案凭证', '医疗机构执业许可证'],
]

const header = {
  partner_sn: f.ref('企业名称', 'organisation', { required: true }),
  direction: f.pick('关系类型', { supplier: '供应商', customer: '客户' }, { default: 'supplier' }),
  social_credit_code: f.text('统一社会信用代码', { readOnly: true }),
  partner_type: f.pick('企业类型', { H: '医院', D: '经销商', V: '厂商' }, { readOnly: true }),
  permit_no: f.text('许可证/备案号', { readOnly: true }),
  permit_valid_to: f.day('许可证有效期', { readOnly: true }),
  scope: f.text('经营/生产范围', { max: 300 }),
  scope_check: f.text('经营范围核对', { readOnly: true, width: 220 }),
  registered_address: f.text('注册地址', { max: 200 }),
  works_address: f.text('经营/生产地址', { max: 200 }),
  legal_person: f.text('法定代表人', { max: 40 }),
  manager: f.text('企业负责人', { max: 40 }),
  quality_manager: f.text('质量负责人', { max: 40 }),
  salesperson: f.text('业务员', { max: 40 }),
  salesperson_phone: f.text('业务员电话', { max: 30 }),
  salesperson_id_no: f.text('身份证号', {
    max: 18,
    match: /^\d{17}[\dXx]$/,
    matchMsg: '身份证号应为18位',
  }),
  mandate_valid_to: f.day('委托书有效期', { readOnly: true }),
  bank_name: f.text('开户银行', { max: 60 }),
  bank_account: f.text('银行账号', { max: 40 }),
  seal_samples: f.files('随货同行单样式和印章样式'),
  visit_result: f.text('实地考察结论', { max: 300 }),
  visited_on: f.day('考察日期'),
  apply_reason: f.text('申请原因', { max: 200 }),
  change_note: f.text('变更内容', { readOnly: true, hint: '资料变更后由系统生成的变更审批' }),
  quality_opinion: f.text('质量意见', { max: 200, dialogOnly: true }),
  handler_inner_sn: f.ref('申请人', 'employee'),
  business_date: f.day('申请日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
type Doc = DocOf<typeof header, typeof filedLicences>

const complete = (doc: Doc): true | string => {
  const needed = doc.direction === 'customer' ? ofCustomer : ofSupplier
  const held = new Set(doc.lines.map(line => String(line.licence_type)))
  const missing = needed.find(types => !types.some(type => held.has(type)))
  if (missing) return `缺少必备资料：${missing.join('或')}`
  return doc.direction === 'customer' || hasFiles(doc, 'seal_samples') || '缺少必备资料：随货同行单样式和印章样式'
}
/** Each licence needs a scan, because quality examines the copy. */
const scanned = eachLine<Doc>(
  line => hasFiles(line, 'scans') || `【${String(line.licence_type)}】请上传证照附件，不能提交`,
)
const inForce = eachLine<Doc>((line, doc) => {
  const until = line.valid_to
  return !until || String(until) >= doc.business_date || `【${String(line.licence_type)}】已过期，不能提交`
})

/** Manufacturers and dealers of devices must stay within the scope of their licence. */
const scoped = (doc: Doc): true | string => {
  const permit = doc.lines.find(line => trades.includes(String(line.licence_type)))
  return !permit || Boolean(doc.scope) || `【${String(permit.licence_type)}】请填写经营/生产范围，不能提交`
}

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('partner_sn', '请选择相关机构。'),
    needs('apply_reason', '请填写申请原因'),
    complete,
    scanned,
    inForce,
    scoped,
  ],
  notByAuthor: true,
  selfReviewMessage: '不能审批本人提交的首营申请',
  rejectReason: '请填写驳回原因',
})

/**
 * 首营企业审批: before the first business with a supplier or customer, quality examines its licences and the mandate of
 * its people. On approval the relation goes live and its licences are filed in the archive, with their dates.
 */
export const firstTierOrg = defineDocument({
  kind: 'firstTierOrg',
  title: '首营企业审批',
  numberPrefix: 'SYQ',
  category: 'compliance',
  ownerTypes: 'HDV',
  header,
  lines: filedLicences,
  internalFields: ['known'],
  lineRules: {
    basis: 'row',
  },
  actions: {
    submit: life.submit,
    unsubmit: life.unsubmit,
    propose: {
      label: '带出证照',
      from: ['draft', 'rejected'],
      to: null,
      guards: [needs('partner_sn', '请选择相关机构。')],
    },
    scope: {
      label: '核对经营范围',
      from: ['draft', 'rejected', 'submitted'],
      to: null,
      guards: [needs('scope', '请填写经营/生产范围')],
    },
    visit: {
      label: '实地考察登记',
      from: ['draft', 'rejected', 'submitted'],
      to: null,
      inputs: ['visited_on', 'visit_result'],
      guards: [needs('visit_result', '请填写实地考察结论')],
    },
    review: {
      ...life.review,
      label: '审批',
      inputs: ['quality_opinion'],
      guards: [needs('quality_opinion', '请填写质量意见')],
    },
    reject: life.reject,
    cancel: life.cancel,
  },
  posting: {
    stockDirection: 'none',
  },
  screens: [
    {
      route: '/commonView/firstTierOrg',
      title: '首营企业审批',
      orgs: 'HDV',
      menu: '首营管理',
      purpose: '首次往来的供应商与客户：审核证照与委托，审批通过后建立往来关系并归档证照',
      columns: [
        'sn',
        'partner_sn',
        'partner_type',
        'direction',
        'social_credit_code',
        'permit_no',
        'permit_valid_to',
        'scope',
        'legal_person',
        'salesperson',
        'mandate_valid_to',
        'change_note',
        'handler_inner_sn',
        'business_date',
        'quality_reviewer',
        'quality_opinion',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'partner_sn',
        'partner_type',
        'direction',
        'social_credit_code',
        'handler_inner_sn',
        'business_date',
        'state',
      ],
    },
  ],
})
