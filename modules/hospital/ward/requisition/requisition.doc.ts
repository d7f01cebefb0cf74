import { isPositive } from '#kernel/values/decimal.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle, stop } from '#kernel/definition/lifecycle.ts'
import {
  differ,
  everyLine,
  hasLines,
  needs,
  needsWhen,
  positiveQuantity,
  within,
} from '#modules/base/vocabulary/validators.ts'
import { askedGoods, counted, remarked } from '#modules/base/vocabulary/line-fields.ts'
import { oncePerDay } from '#modules/base/vocabulary/reminders.ts'

const header = {
  department_inner_sn: f.ref('申领科室', 'department', { required: true }),
  warehouse_model_inner_sn: f.ref('供货仓库', 'warehouse', {
    required: true,
    named: 'the department asks it for goods; it issues them by a document of its own',
  }),
  to_warehouse_model_inner_sn: f.ref('申领仓库', 'warehouse'),
  claim_type: f.pick(
    '申领类型',
    { normal: '常规', refill: '补货', pack: '定数包', high_value: '高值', reagent: '试剂', surgery: '手术' },
    { default: 'normal' },
  ),
  is_urgent: f.flag('加急'),
  urgent_reason: f.text('加急原因', { max: 200 }),
  required_at: f.instant('要求送达时间'),
  due_at: f.instant('最迟送达时间', { readOnly: true, hint: '审核通过后按规则配置的加急、常规送达时限计算' }),
  is_overdue: f.flag('超时', { readOnly: true, hint: '到最迟送达时间仍未发齐' }),
  reminded_on: f.day('最近催单', { readOnly: true }),
  patient_no: f.text('患者编号', { max: 40, patient: true }),
  patient_name: f.text('患者', { max: 40, patient: true }),
  admission_no: f.text('住院号', { max: 40, patient: true }),
  surgery_no: f.text('手术编号', { max: 40 }),
  surgery_name: f.text('手术名称', { max: 100, patient: true }),
  quota_left: f.amount('本月额度剩余', { readOnly: true, hint: '保存时科室额度的剩余，未减本单' }),
  handler_inner_sn: f.ref('申领人', 'employee'),
  business_date: f.day('申领日期'),
  remark: f.longText('备注', { max: 500 }),
}
const lines = {
  ...askedGoods,
  applied_quantity: f.quantity('申领数量', { readOnly: true }),
  month_quota_left: f.quantity('月度定额剩余', { readOnly: true }),
  approved_quantity: f.quantity('批准数量', {
    min: '0',
    hint: '不大于申领数量；0为不发',
    byReviewer: true,
  }),
  ...counted('数量', '0'),
  price: f.price('参考单价', { min: '0' }),
  refuse_reason: f.text('不发原因', { max: 200, byReviewer: true }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const supplierOrDepartment = [
  ['warehouse_model_inner_sn'],
  ['department_inner_sn', 'to_warehouse_model_inner_sn'],
] as const

/**
 * 物资申领单: what a department requests from its supplying warehouse; the approver may lower it, the warehouse then
 * picks and issues it.
 */
export const requisition = defineDocument({
  kind: 'requisition',
  title: '物资申领单',
  numberPrefix: 'SL',
  category: 'ward',
  ownerTypes: 'H',
  facts: { requested: 1 },
  header,
  lines,
  lineRules: {
    scanning: {},
    quantityCorrection: { field: 'approved_quantity', keeps: 'applied_quantity' },
  },
  actions: {
    ...lifecycle<Doc>({
      submit: [
        hasLines,
        needs('department_inner_sn', '请选择申领科室'),
        needs('warehouse_model_inner_sn', '请选择供货仓库'),
        positiveQuantity,
        needsWhen('is_urgent', true, 'urgent_reason', '请填写加急原因'),
        differ('to_warehouse_model_inner_sn', 'warehouse_model_inner_sn', '申领仓库与供货仓库不能相同'),
      ],
      review: [
        within('approved_quantity', 'applied_quantity', '批准数量不能大于申领数量'),
        everyLine('批准数量为0，请填写不发原因', line => isPositive(line.quantity) || Boolean(line.refuse_reason)),
        doc => doc.lines.some(line => isPositive(line.quantity)) || '全部不发，请驳回申领单并说明原因',
      ],
      blockedMessage: '已配送或发放，不能反审核',
    }),
    stop,
    remind: {
      label: '催单',
      from: ['submitted', 'reviewed', 'partial'],
      to: null,
      guards: [oncePerDay],
    },
  },
  // The head of the department approves it, or the warehouse that is to supply it.
  actsIn: { review: supplierOrDepartment, stop: supplierOrDepartment },
  lifecycle: {
    listActions: {
      fromPar: {
        label: '按补货点生成',
        inputs: {
          to_warehouse_model_inner_sn: f.ref('申领仓库', 'warehouse', { hint: '留空为本人可见的全部科室仓库' }),
        },
      },
      fromCommon: {
        label: '从常用产品',
        inputs: { common_product_sn: f.ref('常用产品', 'commonProduct', { required: true }) },
      },
    },
    editableWhenSubmitted: ['approved_quantity', 'refuse_reason', 'warehouse_model_inner_sn', 'remark'],
  },
  sourcing: {
    isOrder: true,
  },
  progress: {
    main: 'grant',
    statuses: { grant_state: 'grant', receive_state: 'ward_receive' },
    columns: {
      issued_quantity: { label: '已发放数量', purpose: 'grant', of: 'quantity' },
      unissued_quantity: { label: '未发放数量', purpose: 'grant', of: 'quantity', rest: true },
    },
  },
  posting: {
    stockDirection: 'named',
  },
  screens: [
    {
      route: '/hospital/SuppliesClaim',
      title: '物资申领',
      orgs: 'H',
      menu: '科室管理',
      purpose: '科室向供货库房申领物资，审批后由库房配送发放',
      columns: [
        'sn',
        'claim_type',
        'is_urgent',
        'is_overdue',
        'due_at',
        'department_inner_sn',
        'to_warehouse_model_inner_sn',
        'warehouse_model_inner_sn',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'issued_quantity',
        'unissued_quantity',
        'grant_state',
        'receive_state',
        'required_at',
        'surgery_no',
        'surgery_name',
        'patient_name',
        'handler_inner_sn',
        'created_at',
        'review_level',
        'current_approvers',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      numberNames: ['voucher_sn'],
      keyColumns: ['sn', 'state', 'department_inner_sn', 'is_urgent', 'grant_state', 'created_at', 'taxed_amount'],
      filters: [
        'sn',
        'department_inner_sn',
        'to_warehouse_model_inner_sn',
        'warehouse_model_inner_sn',
        'claim_type',
        'is_urgent',
        'is_overdue',
        'required_at',
        'surgery_no',
        'admission_no',
        'patient_name',
        'specification_sn',
        'business_date',
        'grant_state',
        'state',
      ],
    },
  ],
})
