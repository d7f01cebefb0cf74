import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle, stop } from '#kernel/definition/lifecycle.ts'
import { hasLines, needs, positiveQuantity } from '#modules/base/vocabulary/validators.ts'
import { remarked } from '#modules/base/vocabulary/line-fields.ts'
import { caseFields, followStates, needFields, patientFields } from '#modules/hospital/surgery/plans/case-fields.ts'
import { namesNeed, notPast } from '#modules/hospital/surgery/plans/plan-guards.ts'

const header = {
  department_inner_sn: f.ref('手术科室', 'department'),
  doctor_inner_sn: f.ref('主刀医生', 'employee'),
  ...caseFields,
  surgeon_name: f.text('主刀医生姓名', { max: 40, hint: '留空取主刀医生' }),
  assistant: f.text('助手', { max: 40 }),
  nurse_inner_sn: f.ref('巡回护士', 'employee'),
  campus: f.text('院区', { max: 60 }),
  path_sn: f.ref('手术路径', 'operationPath', {
    orgs: 'H',
    optionsFilter: { review_state: 'reviewed', status: 'enabled', is_current: 'true' },
  }),
  ...patientFields,
  needs_attendant: f.flag('需跟台', { default: true }),
  deliver_by: f.instant('送达截止时间', { hint: '留空为择期手术前一日15:00' }),
  moved_to: f.instant('改到', { dialogOnly: true, transient: true }),
  moved_theatre: f.text('改到手术间/台次', { dialogOnly: true, transient: true, max: 40, hint: '留空不变' }),
  his_surgery_no: f.text('HIS手术号', { max: 40, readOnly: true, patient: true }),
  origin: f.pick('来源', { his: 'HIS', hand: '手工' }, { default: 'hand', readOnly: true }),
  follow_state: f.pick('跟台状态', followStates, { readOnly: true, default: '1' }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('计划日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...needFields,
  supplier_sn: f.ref('配送经销商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const columns = [
  'sn',
  'org_name',
  'department_inner_sn',
  'theatre',
  'surgery_at',
  'procedure_name',
  'site',
  'surgeon_name',
  'admission_no',
  'patient_name',
  'patient_sex',
  'patient_age',
  'supplier_names',
  'deliver_by',
  'origin',
  'surgery_type',
  'follow_state',
  'state',
] as const

/**
 * 手术计划: who is operated on, when and with what; from the HIS or by hand. For goods that others bring it becomes a
 * plan for each of them, which says nothing of the patient.
 */
export const surgeryPlan = defineDocument({
  kind: 'surgeryPlan',
  title: '手术计划',
  numberPrefix: 'SS',
  category: 'ward',
  ownerTypes: 'H',
  overseen: true,
  header,
  lines,
  lineRules: { import: true },
  actions: {
    ...lifecycle<Doc>({
      submit: [
        needs('department_inner_sn', '请选择手术科室'),
        needs('surgery_at', '请填写手术日期时间'),
        needs('procedure_name', '请填写术式'),
        doc =>
          Boolean((doc as { doctor_inner_sn?: unknown }).doctor_inner_sn) ||
          Boolean((doc as { surgeon_name?: unknown }).surgeon_name) ||
          '请选择主刀医生',
        hasLines,
        positiveQuantity,
        namesNeed,
        notPast,
      ],
      blockedMessage: '已生成跟台计划，不能反审核',
    }),
    stop: { ...stop, from: ['reviewed', 'partial', 'completed'] },
    reschedule: {
      label: '改期',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      inputs: ['moved_to', 'moved_theatre'],
      requiresReason: '请填写改期原因',
      guards: [
        needs('moved_to', '请填写新的手术时间'),
        doc => !['4', '5', '6', '7'].includes(String(doc.follow_state)) || '手术已开始，不能改期',
      ],
    },
    toBonePlan: { label: '生成跟台计划', from: ['reviewed', 'partial'], to: null, tone: 'primary' },
  },
  lifecycle: {
    stateLabels: { partial: '部分转跟台', completed: '已转跟台' },
    listActions: {
      syncHis: { label: '同步HIS', inputs: { day: f.day('手术日期', { required: true }) }, orgs: 'H' },
    },
  },
  progress: { main: 'plan' },
  posting: { stockDirection: 'named' },
  screens: [
    {
      route: '/ptm/operationPlan',
      title: '手术计划',
      orgs: 'HP',
      menu: '骨科手术管理',
      purpose: '手术安排（HIS或手工）与所需植入物、器械；按经销商生成跟台计划',
      columns,
      without: { H: ['org_name'], P: ['admission_no', 'patient_name', 'patient_sex', 'patient_age'] },
      views: [
        {
          name: 'calendar',
          label: '日历',
          orgs: 'H',
          at: 'surgery_at',
          shows: ['procedure_name', 'surgeon_name', 'theatre', 'department_inner_sn'],
          reschedules: true,
          reschedulesBy: { action: 'reschedule', input: 'moved_to' },
        },
      ],
      keyColumns: ['sn', 'surgery_at', 'procedure_name', 'patient_name', 'follow_state', 'state'],
      filters: [
        'sn',
        'org_name',
        'department_inner_sn',
        'surgery_at',
        'procedure_name',
        'surgeon_name',
        'admission_no',
        'patient_name',
        'supplier_sn',
        'origin',
        'follow_state',
        'state',
      ],
    },
  ],
})
