import { defineDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { outside, store } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  codesMatchQuantity,
  fitToLeave,
  hasLines,
  needs,
  notExpiredToUse,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { costedUse, counted, held, pieces, remarked, stockedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { memoFalls, moved } from '#modules/base/vocabulary/stock-moves.ts'
import { keptOnPatient } from '#modules/hospital/ward/usage/on-patient.ts'
import { chargeFields, charging } from '#modules/hospital/ward/usage/charge-fields.ts'
import { comparing, refillFields, replenish } from '#modules/hospital/ward/usage/replenishment-fields.ts'
import {
  grantedField,
  reportFields,
  usageReport,
  withoutOthersPrices,
} from '#modules/base/vocabulary/usage-report-fields.ts'

/**
 * 科室使用单: what a ward used, on a patient or for the department. The pieces are used up and linked to the patient
 * inside the hospital; consigned ones become due for settlement, and their owner is notified that they were used,
 * never on whom.
 */
export const departmentUse = defineDocument({
  kind: 'departmentUse',
  title: '科室使用单',
  numberPrefix: 'SY',
  category: 'ward',
  ownerTypes: 'H',
  facts: { used_in_ward: 1, used: 1 },
  copyFacts: { used_in_ward: 1, used: 1 },
  externalType: 'DEPARTMENTUSEODO',
  header: {
    department_inner_sn: f.ref('使用科室', 'department'),
    warehouse_model_inner_sn: f.ref('使用仓库', 'warehouse', { required: true }),
    use_type: f.pick('使用类型', {
      patient: '患者使用',
      consume: '科室消耗',
      pack_open: '定数包开包',
      reagent: '试剂上机',
      cabinet: '智能柜取用',
      weighing: '称重消耗',
    }),
    used_at: f.instant('使用时间', { default: 'now' }),
    visit_type: f.pick('就诊类型', { inpatient: '住院', outpatient: '门诊' }),
    patient_no: f.text('患者编号', { max: 40, patient: true }),
    patient_name: f.text('患者姓名', { max: 40, patient: true }),
    admission_no: f.text('住院号/门诊号', { max: 40, patient: true }),
    patient_sex: f.pick('性别', { male: '男', female: '女', unknown: '未知' }, { patient: true }),
    patient_age: f.text('年龄', { max: 10, patient: true }),
    bed_no: f.text('床号', { max: 20, patient: true }),
    medical_order_no: f.text('医嘱号', { max: 40, patient: true }),
    surgery_name: f.text('手术名称', { max: 100, patient: true }),
    implant_site: f.text('植入部位', { max: 100, patient: true }),
    doctor_inner_sn: f.ref('主管医生', 'employee'),
    handler_inner_sn: f.ref('使用人', 'employee'),
    ...chargeFields,
    ...reportFields,
    ...refillFields,
    business_date: f.day('使用日期'),
    remark: f.longText('备注', { max: 500 }),
  },
  lines: {
    ...stockedGoods,
    ...pieces('院内码/定数包码'),
    ...counted(),
    ...costedUse(),
    ...held,
    ...grantedField,
    use_site: f.text('使用部位', { max: 100, patient: true }),
    ...remarked,
  },
  lineRules: {
    hiddenFields: withoutOthersPrices,
    unlisted: ['granted_quantity'],
    scanning: {},
  },
  actions: {
    ...postingLifecycle({
      submit: [
        hasLines,
        needs('warehouse_model_inner_sn', '请选择使用仓库'),
        positiveQuantity,
        notExpiredToUse(() => '产品已过期，禁止使用'),
        fitToLeave((lot, why) => `批号${lot}为${why}状态，不能使用`),
        codesMatchQuantity,
      ],
      blockedMessage: '使用记录已进入结算，不能反审核，请红冲退用，下期结算冲减',
    }),
    ...charging,
    replenish,
    ...comparing,
  },
  lifecycle: {
    kept: keptOnPatient,
    // 退用 after the settlement becomes a negative line of the next one.
    reversibleAfter: ['settle'],
  },
  sourcing: {
    sources: [
      {
        from: 'weighing',
        for: 'weighing',
        sourceType: sourceTypes.WEIGHING,
        purpose: 'use',
        eligible: { line: { direction: ['less'] }, message: '托盘数量多于账面，不能登记使用' },
      },
      {
        from: 'grantOdo',
        for: 'grant',
        sourceType: sourceTypes.GRANT,
        purpose: 'use',
        sharesLimitWith: ['return'],
        headerMap: { warehouse_model_inner_sn: 'to_warehouse_model_inner_sn' },
      },
      { from: 'wardReceipt', for: 'receipt', sourceType: sourceTypes.WARD_RECEIPT, purpose: 'use' },
    ],
  },
  progress: {
    statuses: { settle_state: 'settle' },
    statusLabels: { settle_state: { label: '结算状态', choices: { '1': '未结算', '2': '部分结算', '3': '已结算' } } },
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
        header: ['used_at', 'use_type', 'report_basis'],
        lines: ['granted_quantity'],
        message: { title: '医院使用了我方货物', uri: 'useRecord' },
        // At the owner: what was at the hospital is removed from the memo. The trace event is the hospital's.
        receiverPosts: memoFalls('use'),
      },
    ],
  },
  screens: [
    {
      route: '/hospital/useRecord',
      tab: '按单据',
      leads: true,
      title: '科室使用登记',
      orgs: 'H',
      menu: '科室管理',
      purpose: '扫码登记患者使用或科室消耗，扣减二级库，寄售品进入待结算',
      columns: [
        'sn',
        'use_type',
        'department_inner_sn',
        'warehouse_model_inner_sn',
        'admission_no',
        'patient_name',
        'surgery_name',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'charge_state',
        'settle_state',
        'doctor_inner_sn',
        'handler_inner_sn',
        'used_at',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'department_inner_sn',
        'warehouse_model_inner_sn',
        'use_type',
        'admission_no',
        'patient_name',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'charge_state',
        'settle_state',
        'handler_inner_sn',
        'state',
      ],
    },
    {
      route: '/commonView/useRecord',
      tab: '按单据',
      leads: true,
      title: '使用记录',
      orgs: 'DV',
      menu: '使用追溯',
      purpose: '医院使用我方寄售、供应或生产货物的记录，供补货、结算与追溯，不含患者信息',
      columns: [
        'sn',
        'counterparty_sn',
        'used_at',
        'use_type',
        'report_basis',
        'settled_stage',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'replenish_state',
        'replenish_sn',
        'compare_state',
        'business_date',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'use_type',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'report_basis',
        'settled_stage',
        'replenish_state',
        'compare_state',
      ],
      // The manufacturer does not see the amounts between others.
      without: { V: ['taxed_amount'] },
      where: { role: 'counterparty' },
      actions: ['replenish', 'compare', 'uncompare'],
    },
  ],
})
