import { add, compare, type Decimal, isZero, subtract } from '#kernel/values/decimal.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { outside, store } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  codesMatchQuantity,
  eachLine,
  figure,
  fitToLeave,
  hasLines,
  needs,
  notExpiredToUse,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { costedUse, counted, held, pieces, remarked, stockedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { memoFalls, moved } from '#modules/base/vocabulary/stock-moves.ts'
import { chargeFields, charging } from '#modules/hospital/ward/usage/charge-fields.ts'
import { comparing, refillFields, replenish } from '#modules/hospital/ward/usage/replenishment-fields.ts'
import { keptOnPatient } from '#modules/hospital/ward/usage/on-patient.ts'
import { mustSign, signatureRoles } from '#modules/hospital/signatures/signature-field.ts'
import {
  grantedField,
  reportFields,
  usageReport,
  withoutOthersPrices,
} from '#modules/base/vocabulary/usage-report-fields.ts'

const header = {
  form_type: f.pick('单据形式', { record: '使用记录', report: '手术报台单' }, { default: 'record' }),
  surgery_no: f.text('手术编号', { max: 40 }),
  surgery_plan_sn: f.text('手术计划号', { max: 40 }),
  business_date: f.day('手术日期'),
  used_at: f.instant('使用时间', { default: 'now' }),
  theatre: f.text('手术间', { max: 40 }),
  surgery_name: f.text('手术名称', { max: 100, patient: true }),
  patient_no: f.text('患者编号', { max: 40, patient: true }),
  patient_name: f.text('患者姓名', { max: 40, patient: true }),
  patient_sex: f.pick('性别', { male: '男', female: '女', unknown: '未知' }, { patient: true }),
  patient_age: f.text('年龄', { max: 10, patient: true }),
  admission_no: f.text('住院号', { max: 40, patient: true }),
  bed_no: f.text('床号', { max: 20, patient: true }),
  diagnosis: f.text('诊断', { max: 200, patient: true }),
  implant_site: f.text('植入部位', { max: 100, patient: true }),
  department_inner_sn: f.ref('手术科室', 'department'),
  warehouse_model_inner_sn: f.ref('使用仓库', 'warehouse', { required: true }),
  doctor_inner_sn: f.ref('主刀医生', 'employee'),
  assistant_inner_sn: f.ref('第一助手', 'employee'),
  anaesthetist_inner_sn: f.ref('麻醉医生', 'employee'),
  scrub_nurse_inner_sn: f.ref('器械护士', 'employee'),
  nurse_inner_sn: f.ref('巡回护士', 'employee'),
  attendant: f.text('跟台人员', { max: 40 }),
  attendant_org_sn: f.ref('跟台公司', 'organisation'),
  handler_inner_sn: f.ref('记录人', 'employee'),
  course: f.longText('术中情况说明', { max: 1000, patient: true }),
  ...chargeFields,
  signer: f.pick('签字人', { nurse: signatureRoles.nurse, surgeon: signatureRoles.surgeon }, { dialogOnly: true }),
  ...mustSign,
  nurse_signed_by: f.text('巡回护士签字', { readOnly: true }),
  surgeon_signed_by: f.text('主刀医生签字', { readOnly: true }),
  ...reportFields,
  ...refillFields,
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...stockedGoods,
  ...pieces('序列号/院内码'),
  brought_quantity: f.quantity('送达数量', { min: '0' }),
  ...counted('使用数量'),
  wasted_quantity: f.quantity('其中损耗', { min: '0' }),
  returned_quantity: f.quantity('退回数量', { min: '0' }),
  implant_part: f.text('植入部位', { max: 100, patient: true }),
  charge_item: f.text('收费项目编码', { max: 40 }),
  stock_source: f.pick('来源', { stock: '库存', loan: '跟台', monthly: '跟台（月结）' }, { readOnly: true }),
  plan_sn: f.text('跟台单号', { readOnly: true }),
  loan_sn: f.text('跟台预销售单', { readOnly: true }),
  supplier_sn: f.ref('供应商', 'organisation', { readOnly: true, optionsFilter: { relation: 'supplier' } }),
  ...costedUse('单价'),
  ...held,
  ...grantedField,
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const isReport = (doc: Doc): boolean => doc.form_type === 'report'
/** The nurse signs an operation's usage record before it is submitted, the surgeon before it is booked. */
const signedBy = (name: 'nurse_signed_by' | 'surgeon_signed_by', sentence: string) => (doc: Doc) =>
  !isReport(doc) || Boolean(doc[name]) || sentence

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('warehouse_model_inner_sn', '请选择使用仓库'),
    needs('surgery_name', '请填写手术名称'),
    positiveQuantity,
    notExpiredToUse(product => `产品已过有效期，禁止使用：产品【${product}】在手术日期已过期`),
    fitToLeave((lot, why) => `批号${lot}为${why}状态，产品已停售/召回，禁止使用`),
    codesMatchQuantity,
    eachLine<Doc>(line => compare(figure(line, 'wasted_quantity'), line.quantity) <= 0 || '损耗数量不能大于使用数量'),
    // 送达 = 使用 + 退回 + 差异; what is missing needs a reason.
    eachLine<Doc>(line => {
      const brought = line.brought_quantity as Decimal | null | undefined
      if (!brought) return true
      const rest = subtract(brought, add(line.quantity, figure(line, 'returned_quantity'), 3), 3)
      return isZero(rest) || Boolean(line.remark) || '请说明差异原因'
    }),
    signedBy('nurse_signed_by', '巡回护士未签字，不能提交'),
  ],
  review: [signedBy('surgeon_signed_by', '主刀医生未签字，不能审核')],
  blockedMessage: '使用记录已进入结算，不能反审核，请红冲退用，下期结算冲减',
})

const columns = [
  'sn',
  'counterparty_sn',
  'surgery_no',
  'surgery_name',
  'business_date',
  'theatre',
  'department_inner_sn',
  'doctor_inner_sn',
  'nurse_inner_sn',
  'admission_no',
  'patient_name',
  'supplier_names',
  'line_count',
  'total_quantity',
  'taxed_amount',
  'charge_state',
  'settle_state',
  'created_by_name',
  'reviewed_by_name',
  'reviewed_at',
  'state',
] as const
/** The fields that the hospital sends to no supplier: the columns would be empty. */
const inside = [
  'surgery_no',
  'theatre',
  'department_inner_sn',
  'doctor_inner_sn',
  'nurse_inner_sn',
  'supplier_names',
  'supplier_sn',
  'charge_state',
  // The supplier sees its settlement progress.
  'settle_state',
  'created_by_name',
  'reviewed_by_name',
  'reviewed_at',
] as const
/**
 * Seen and noted only by the supplier: settlement progress, whether it ships more, and whether it agrees with its
 * books.
 */
const refill = ['report_basis', 'settled_stage', 'replenish_state', 'replenish_sn', 'compare_state'] as const
const filters = [
  'sn',
  'counterparty_sn',
  'business_date',
  'surgery_no',
  'surgery_name',
  'admission_no',
  'patient_name',
  'department_inner_sn',
  'doctor_inner_sn',
  'supplier_sn',
  'specification_sn',
  'lot_no',
  'unit_code',
  'charge_state',
  'settle_state',
  'state',
] as const

/**
 * 手术使用记录: what was used in which operation, code by code. The pieces are used up and linked to the patient inside
 * the hospital, charged through the HIS, and settled with their owner, who is notified that they were used and never
 * on whom.
 */
export const surgeryUse = defineDocument({
  kind: 'surgeryUse',
  title: '手术使用记录',
  numberPrefix: 'SSSY',
  category: 'ward',
  ownerTypes: 'H',
  facts: { used_in_surgery: 1, used: 1 },
  copyFacts: { used_in_surgery: 1, used: 1 },
  externalType: 'DEPARTMENTUSEODO',
  header,
  lines,
  lineRules: {
    hiddenFields: withoutOthersPrices,
    unlisted: ['granted_quantity'],
  },
  actions: {
    ...life,
    sign: {
      label: '电子签名',
      from: ['draft', 'rejected', 'submitted'],
      to: null,
      inputs: ['signer', 'signature_sn'],
      guards: [needs('signer', '请选择签字人')],
    },
    unsign: {
      label: '撤销签字',
      from: ['draft', 'rejected', 'submitted'],
      to: null,
      requiresReason: true,
      sets: { nurse_signed_by: null, surgeon_signed_by: null },
    },
    ...charging,
    replenish,
    ...comparing,
  },
  sourcing: {
    sources: [
      {
        from: 'bonePresale',
        for: 'loan',
        label: '跟台货物',
        sourceType: sourceTypes.ORTHOPAEDIC,
        purpose: 'use',
        fromCounterparty: true,
        multipleSources: true,
        sameUnits: true,
        states: ['reviewed', 'partial', 'completed'],
        dropsFields: ['price'],
        overdrawnMessage: '使用数量不能大于带入数量减已使用数量{n}',
      },
    ],
  },
  lifecycle: {
    columnLabels: { total_quantity: '使用数量' },
    kept: keptOnPatient,
    // 退用 after the settlement becomes a negative line of the next one.
    reversibleAfter: ['settle'],
  },
  progress: {
    statuses: { settle_state: 'settle' },
    statusLabels: {
      settle_state: { label: '结算状态', choices: { '1': '未结算', '2': '部分结算', '3': '已结算' } },
    },
  },
  compliance: { happenedAt: 'used_at' },
  pricing: { costing: 'own' },
  posting: {
    stockDirection: 'out',
    stockCard: 'use_out',
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(line, book, 'use', store(doc.warehouse_model_inner_sn, line.location), outside()),
      ),
    }),
  },
  intercompany: {
    copies: [
      {
        on: 'review',
        reports: usageReport,
        header: ['used_at', 'report_basis'],
        lines: ['granted_quantity', 'stock_source', 'plan_sn', 'loan_sn'],
        message: { title: '手术使用了我方货物', uri: 'surgicalUsageRecords' },
        receiverPosts: memoFalls('use'),
      },
    ],
  },
  screens: [
    {
      route: '/commonView/surgicalUsageRecords',
      title: '手术使用记录',
      orgs: 'HDV',
      menu: '使用追溯',
      purpose: '逐码登记手术使用的植入物与耗材；供应商只看到自己的货物，不含患者信息',
      columns: [...columns, ...refill],
      filters: [...filters, 'report_basis', 'settled_stage', 'replenish_state', 'compare_state'],
      without: { H: [...refill, 'counterparty_sn'], D: inside, V: [...inside, 'taxed_amount'] },
    },
    {
      route: '/hospital/surgicalReportForm',
      title: '手术报台单',
      orgs: 'H',
      menu: '骨科手术管理',
      purpose: '一台手术一张：清点、使用、损耗与退回，护士与主刀医生签字后计费、结算',
      columns: [...columns.filter(name => name !== 'counterparty_sn'), 'nurse_signed_by', 'surgeon_signed_by'],
      filters: filters.filter(name => name !== 'counterparty_sn'),
      where: { form_type: 'report' },
    },
  ],
})
