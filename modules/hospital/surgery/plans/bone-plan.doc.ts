import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle, stop } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { hasLines, needs, positiveQuantity } from '#modules/base/vocabulary/validators.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'
import {
  caseFields,
  caseNames,
  followStates,
  needFields,
  patientFields,
} from '#modules/hospital/surgery/plans/case-fields.ts'
import { namesNeed, notPast } from '#modules/hospital/surgery/plans/plan-guards.ts'

const live = ['reviewed', 'partial'] as const
/** The progress of a plan, as both sides read it. */
const states = ['accept_state', 'prepare_state', 'pre_state', 'use_state', 'follow_state'] as const

const header = {
  counterparty_sn: f.ref('供应商/医院', 'organisation', { required: true, optionsFilter: { relation: 'partner' } }),
  department_inner_sn: f.ref('手术科室', 'department', { orgs: 'H' }),
  doctor_inner_sn: f.ref('主刀医生', 'employee', { orgs: 'H' }),
  ...caseFields,
  surgeon_name: f.text('主刀医生姓名', { max: 40, hint: '医院留空取主刀医生' }),
  deliver_by: f.instant('送达截止时间', { hint: '留空为择期手术前一日15:00' }),
  deliver_place: f.pick('送达地点', { cssd: '消毒供应中心', theatre: '手术室' }, { default: 'cssd' }),
  sterilisation: f.text('灭菌要求', { max: 60 }),
  supplier_note: f.text('给供应商的说明', { max: 200 }),
  path_sn: f.ref('手术路径', 'operationPath', {
    orgs: 'H',
    optionsFilter: { review_state: 'reviewed', status: 'enabled', is_current: 'true' },
  }),
  ...patientFields,
  technician_inner_sn: f.ref('指派人员', 'employee', { orgs: 'DV', dialogOnly: true }),
  attendant: f.text('跟台人员', { readOnly: true }),
  attendant_phone: f.text('跟台电话', { max: 30 }),
  backup_inner_sn: f.ref('替补人员', 'employee', { orgs: 'DV', dialogOnly: true }),
  kit_codes: f.codes('套包编号', { orgs: 'DV', dialogOnly: true, codeOf: 'implantKit' }),
  tools_codes: f.codes('工具包编号', { orgs: 'DV', dialogOnly: true, codeOf: 'toolsKit' }),
  kit_amount: f.amount('套包金额', {
    orgs: 'DV',
    readOnly: true,
    hint: '备货时套包内产品按手术日与该医院约定的价格计算，没有约定的按销售价',
  }),
  return_by: f.instant('预计归还时间', { orgs: 'DV', dialogOnly: true }),
  shortage_note: f.text('缺件说明', { orgs: 'DV', dialogOnly: true, max: 200, hint: '套包缺件仍要送出时填写' }),
  driver: f.text('司机/送货人', { dialogOnly: true, max: 40 }),
  departed_at: f.instant('出发时间', { dialogOnly: true }),
  delivered_at: f.instant('送达时间', { dialogOnly: true }),
  entered_at: f.instant('进手术室时间', { orgs: 'DV', dialogOnly: true }),
  left_at: f.instant('离开时间', { orgs: 'DV', dialogOnly: true }),
  fetched_at: f.instant('取回时间', { orgs: 'DV', dialogOnly: true }),
  reported_codes: f.pieces('跟台登记的使用码', {
    orgs: 'DV',
    dialogOnly: true,
    hint: '扫描已使用产品的序列号/院内码',
  }),
  reported_quantity: f.quantity('跟台登记的使用件数', { orgs: 'DV', dialogOnly: true, min: '0' }),
  report_summary: f.longText('跟台小结', { orgs: 'DV', dialogOnly: true, max: 500 }),
  report_files: f.files('使用清单照片', { orgs: 'DV', dialogOnly: true }),
  report_difference: f.text('跟台登记核对', { orgs: 'DV', readOnly: true }),
  accept_state: f.pick(
    '接单状态',
    { '1': '待接单', '2': '已接单', '3': '已拒单' },
    { readOnly: true, default: '1', tones: { '2': 'success', '3': 'danger' } },
  ),
  answer_reason: f.text('拒单原因', { readOnly: true }),
  prepare_state: f.pick(
    '备货状态',
    { '1': '未备货', '2': '部分备货', '3': '已备货' },
    { readOnly: true, default: '1' },
  ),
  pre_state: f.pick(
    '预验收状态',
    { '1': '未预验收', '2': '已预验收', '3': '补验超时' },
    { readOnly: true, default: '1', tones: { '2': 'success', '3': 'danger' } },
  ),
  use_state: f.pick('使用状态', { '1': '未登记使用', '2': '已登记使用' }, { readOnly: true, default: '1' }),
  follow_state: f.pick('跟台状态', followStates, { readOnly: true, default: '1' }),
  next_supplier_sn: f.ref('改派给', 'organisation', {
    dialogOnly: true,
    transient: true,
    optionsFilter: { relation: 'supplier' },
  }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('计划日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...needFields,
  response_quantity: f.quantity('供应商响应数量', { readOnly: true }),
  prepared_quantity: f.quantity('已备数量', { readOnly: true }),
  used_quantity: f.quantity('已使用数量', { readOnly: true }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const accepted = (doc: Doc) => doc.accept_state === '2' || '请先接单'
const named = needs('technician_inner_sn', '请选择跟台人员')

const columns = [
  'sn',
  'source_sn',
  'counterparty_sn',
  'department_inner_sn',
  'surgery_department',
  'surgery_at',
  'theatre',
  'procedure_name',
  'site',
  'surgery_type',
  'deliver_by',
  'attendant',
  'accept_state',
  'pre_state',
  'use_state',
  'open_pieces',
  'state',
] as const
const filters = [
  'sn',
  'source_sn',
  'counterparty_sn',
  'surgery_at',
  'procedure_name',
  'surgery_type',
  'attendant',
  'accept_state',
  'pre_state',
  'use_state',
  'state',
] as const

/** An operation among those of its week. */
const calendar = {
  name: 'calendar',
  label: '日历',
  at: 'surgery_at',
  shows: ['procedure_name', 'counterparty_sn', 'theatre', 'attendant'],
} as const
/** The supplier's operations by whom he sends, and by the kits that they take: free ones are there too. */
const boards = [
  {
    name: 'technician',
    label: '按跟台人员',
    orgs: 'DV',
    at: 'surgery_at',
    shows: ['procedure_name', 'counterparty_sn', 'theatre'],
    lanes: {
      by: 'technician_inner_sn',
      nobody: '未指派',
      of: { kind: 'employee', where: { status: 'enabled' } },
      moves: ['assign', 'accept'],
    },
  },
  {
    name: 'kit',
    label: '按套包',
    orgs: 'DV',
    at: 'surgery_at',
    shows: ['procedure_name', 'counterparty_sn', 'attendant'],
    lanes: {
      by: 'kit_codes',
      nobody: '未备套包',
      of: { kind: 'implantKit', as: 'code', where: { status: 'enabled' } },
      moves: ['prepare'],
    },
  },
] as const

/**
 * 骨科跟台计划: the goods that a hospital requests of one supplier for one operation. The supplier accepts, names the
 * technician, prepares and sends; both sides' later documents refer to it. The supplier's copy has no patient.
 */
export const bonePlan = defineDocument({
  kind: 'bonePlan',
  title: '骨科跟台计划',
  numberPrefix: 'GT',
  category: 'ward',
  ownerTypes: 'HDV',
  header,
  lines,
  actions: {
    ...lifecycle<Doc>({
      submit: [
        hasLines,
        needs('counterparty_sn', '请选择供应商'),
        needs('surgery_at', '请填写手术日期时间'),
        needs('procedure_name', '请填写术式'),
        positiveQuantity,
        namesNeed,
        notPast,
      ],
      labels: { review: '审核下达' },
      blockedMessage: '供应商已备货，不能反审核，请终止计划',
    }),
    stop,
    complete: { label: '完结', from: live, to: 'completed', guards: [accepted] },
    reissue: {
      label: '改派供应商',
      from: ['reviewed'],
      to: null,
      inputs: ['next_supplier_sn'],
      guards: [
        doc => doc.accept_state === '3' || '供应商尚未拒单，不能改派',
        needs('next_supplier_sn', '请选择改派的供应商'),
      ],
    },
    toPreAcceptance: { label: '生成预验收单', from: live, to: null, tone: 'primary', guards: [accepted] },
    toUse: { label: '登记手术使用', from: live, to: null },
    toLoan: { label: '记入跟台库', from: live, to: null, guards: [accepted] },
    applyPath: { label: '套用手术路径', from: ['draft', 'rejected'], to: null, inputs: ['path_sn'] },
    accept: {
      label: '接单',
      from: ['reviewed'],
      to: null,
      by: 'counterparty',
      tone: 'primary',
      inputs: ['technician_inner_sn', 'attendant_phone'],
      sets: { accept_state: '2' },
      shares: ['attendant', 'attendant_phone'],
      guards: [doc => doc.accept_state === '1' || '已接单或已拒单', named],
    },
    refuse: {
      label: '拒单',
      from: ['reviewed'],
      to: null,
      by: 'counterparty',
      tone: 'danger',
      requiresReason: '请填写拒单原因',
      sets: { accept_state: '3' },
      guards: [doc => doc.accept_state === '1' || '已接单或已拒单'],
    },
    assign: {
      label: '指派跟台',
      from: live,
      to: null,
      by: 'counterparty',
      inputs: ['technician_inner_sn', 'attendant_phone', 'backup_inner_sn'],
      shares: ['attendant', 'attendant_phone'],
      guards: [accepted, named],
    },
    prepare: {
      label: '备货',
      from: live,
      to: null,
      by: 'counterparty',
      inputs: ['kit_codes', 'tools_codes', 'return_by', 'shortage_note'],
      shares: ['prepare_state'],
      guards: [accepted],
    },
    depart: {
      label: '送出登记',
      from: live,
      to: null,
      by: 'counterparty',
      inputs: ['driver', 'departed_at'],
      shares: ['driver', 'departed_at'],
      guards: [accepted, needs('driver', '请填写司机/送货人'), needs('departed_at', '请填写出发时间')],
    },
    arrive: {
      label: '送达登记',
      from: live,
      to: null,
      by: 'counterparty',
      inputs: ['delivered_at'],
      shares: ['delivered_at'],
      guards: [accepted, needs('delivered_at', '请填写送达时间')],
    },
    report: {
      label: '跟台登记',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      by: 'counterparty',
      localOnly: true,
      inputs: [
        'entered_at',
        'left_at',
        'fetched_at',
        'reported_codes',
        'reported_quantity',
        'report_summary',
        'report_files',
      ],
      guards: [accepted],
    },
    toPresale: {
      label: '生成预销售单',
      from: live,
      to: null,
      by: 'counterparty',
      localOnly: true,
      tone: 'primary',
      guards: [accepted],
    },
    toSale: {
      label: '生成销售单',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      by: 'counterparty',
      localOnly: true,
      guards: [accepted],
    },
    toBack: {
      label: '生成退回单',
      from: ['reviewed', 'partial', 'stopped'],
      to: null,
      by: 'counterparty',
      localOnly: true,
      guards: [accepted],
    },
  },
  lifecycle: {
    listsCopies: 'DV',
    stateLabels: { reviewed: '已下达', completed: '已完结' },
  },
  sourcing: {
    sources: [
      {
        from: 'surgeryPlan',
        for: 'surgeryPlan',
        sourceType: sourceTypes.SURGERY_PLAN,
        purpose: 'plan',
        countedAt: 'submit',
        partnerField: 'supplier_sn',
        notReadyMessage: '手术计划{sn}尚未审核，不能生成跟台计划',
        overdrawnMessage: '该手术计划明细已生成跟台计划，剩余{n}',
      },
    ],
  },
  posting: { stockDirection: 'named' },
  intercompany: {
    copies: [
      {
        on: 'review',
        withoutRemarks: true,
        header: [...caseNames, ...states, 'deliver_by', 'deliver_place', 'sterilisation', 'supplier_note'],
        lines: ['category', 'item_code', 'item_name', 'size_range'],
        message: { title: '医院下达了跟台计划，请接单', uri: 'bonePlan' },
      },
    ],
  },
  screens: [
    {
      route: '/commonView/bonePlan',
      title: '骨科跟台计划',
      orgs: 'HDV',
      menu: '骨科手术管理',
      purpose: '医院向供应商下达手术用植入物与器械需求；供应商接单、指派跟台、备货',
      columns,
      keyColumns: ['sn', 'counterparty_sn', 'surgery_at', 'procedure_name', 'accept_state', 'state'],
      filters,
      without: {
        H: ['surgery_department'],
        D: ['department_inner_sn', 'source_sn'],
        V: ['department_inner_sn', 'source_sn'],
      },
      views: [{ ...calendar, reschedules: true }, ...boards],
      waits: {
        action: 'accept',
        text: '跟台计划待接单',
        orgs: 'DV',
        where: { role: 'counterparty', accept_state: '1', state: 'reviewed' },
      },
    },
    {
      route: '/commonView/opCooperationDea',
      title: '手术协同（跟台）',
      orgs: 'D',
      menu: '骨科手术管理',
      purpose: '本公司服务的手术：接单、指派跟台、备货、送出、送达、跟台登记，到销售与退回',
      columns: [
        'sn',
        'counterparty_sn',
        'surgery_department',
        'surgery_at',
        'theatre',
        'procedure_name',
        'site',
        'surgery_type',
        'deliver_by',
        'attendant',
        'kit_codes',
        'kit_amount',
        'tools_codes',
        'accept_state',
        'prepare_state',
        'delivered_at',
        'follow_state',
        'used_pieces',
        'open_pieces',
        'report_difference',
      ],
      keyColumns: ['sn', 'counterparty_sn', 'surgery_at', 'attendant', 'prepare_state', 'follow_state'],
      filters: ['sn', 'counterparty_sn', 'surgery_at', 'procedure_name', 'attendant', 'prepare_state', 'follow_state'],
      where: { role: 'counterparty' },
      views: [calendar, ...boards],
      actions: ['accept', 'refuse', 'assign', 'prepare', 'depart', 'arrive', 'report', 'toPresale', 'toSale', 'toBack'],
    },
  ],
})
