import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  differ,
  fitToLeave,
  hasLines,
  needs,
  positiveQuantity,
  reasonedWhenLess,
  within,
} from '#modules/base/vocabulary/validators.ts'
import { counted, held, pieces, remarked, stockedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { signatureField } from '#modules/hospital/signatures/signature-field.ts'
import { swapFields, swapLot } from '#modules/hospital/ward/issuing/lot-substitution.ts'

const header = {
  warehouse_model_inner_sn: f.ref('供货仓库', 'warehouse', { required: true }),
  department_inner_sn: f.ref('配送科室', 'department', { named: 'the goods are for it' }),
  to_warehouse_model_inner_sn: f.ref('领入仓库', 'warehouse', { named: 'it receives by a document of its own' }),
  wave_no: f.text('波次号', { max: 40 }),
  route_name: f.text('配送路线', { max: 40 }),
  is_urgent: f.flag('加急'),
  picker_inner_sn: f.ref('拣货人', 'employee'),
  rechecker_inner_sn: f.ref('复核人', 'employee'),
  courier_inner_sn: f.ref('配送员', 'employee'),
  box_no: f.text('周转箱号', { max: 80 }),
  required_at: f.instant('计划送达时间'),
  due_at: f.instant('最迟送达时间', { readOnly: true, hint: '所配申领中最早的一个' }),
  is_overdue: f.flag('超时', { readOnly: true, hint: '到最迟送达时间仍未送达，或送达时已过' }),
  delivered_at: f.instant('送达时间'),
  delivered_to: f.text('签收人', { max: 40 }),
  ...signatureField,
  ...swapFields,
  business_date: f.day('配送日期'),
  remark: f.longText('备注', { max: 500 }),
}
const lines = {
  ...stockedGoods,
  ...pieces('院内码/定数包码'),
  planned_quantity: f.quantity('应配数量', { readOnly: true }),
  picked_quantity: f.quantity('已拣数量', { min: '0' }),
  ...counted('数量', '0'),
  short_reason: f.text('缺货原因', { max: 200 }),
  ...held,
  box_no: f.text('箱号', { max: 40 }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const samePerson = '拣货人与复核人不能为同一人'

/**
 * 配送单: approved requisitions of one department turned into a picking list; its submission reserves the lots, its
 * review creates the issue.
 */
export const dispatch = defineDocument({
  kind: 'dispatch',
  title: '配送单',
  numberPrefix: 'PS',
  category: 'ward',
  ownerTypes: 'H',
  facts: { dispatched: 1 },
  header,
  lines,
  lineRules: {
    quantityCorrection: { field: 'picked_quantity', keeps: 'planned_quantity' },
  },
  actions: {
    ...lifecycle<Doc>({
      submit: [
        hasLines,
        needs('warehouse_model_inner_sn', '请选择供货仓库'),
        positiveQuantity,
        fitToLeave((lot, why) => `批号${lot}为${why}状态，不能发放`),
      ],
      review: [
        within('picked_quantity', 'planned_quantity', '已拣数量不能大于应配数量'),
        reasonedWhenLess('planned_quantity', 'short_reason', '缺货请填写缺货原因'),
        differ('picker_inner_sn', 'rechecker_inner_sn', samePerson),
      ],
      blockedMessage: '已发放，不能反审核',
    }),
    swapLot,
    check: {
      label: '复核装箱',
      from: ['submitted'],
      to: null,
      inputs: ['rechecker_inner_sn', 'box_no'],
      guards: [
        needs('picker_inner_sn', '请先登记拣货人'),
        needs('rechecker_inner_sn', '请选择复核人'),
        differ('picker_inner_sn', 'rechecker_inner_sn', samePerson),
      ],
    },
    deliver: {
      label: '登记送达',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      inputs: ['delivered_at', 'delivered_to', 'signature_sn'],
    },
  },
  lifecycle: {
    manualEntry: false,
    listActions: {
      wave: {
        label: '生成波次',
        inputs: {
          warehouse_model_inner_sn: f.ref('供货仓库', 'warehouse', { required: true }),
          department_inner_sn: f.ref('申领科室', 'department', {
            hint: '留空为全部科室',
            named: 'the goods are for it',
          }),
          urgent_only: f.flag('只配加急', { default: false }),
          route_name: f.text('配送路线', { max: 40 }),
          required_at: f.instant('计划送达时间'),
        },
      },
    },
    columnLabels: {
      uncorrected_quantity: '应配数量',
      corrected_quantity: '已拣数量',
      correction_quantity: '缺货数量',
    },
    editableWhenSubmitted: [
      'picked_quantity',
      'short_reason',
      'unit_codes',
      'box_no',
      'picker_inner_sn',
      'rechecker_inner_sn',
      'courier_inner_sn',
    ],
  },
  sourcing: {
    sources: [
      {
        from: 'requisition',
        for: 'requisition',
        sourceType: sourceTypes.REQUISITION,
        purpose: 'allocate',
        countedAt: 'submit',
        multipleSources: true,
        sharesLimitWith: ['grant'],
        overdrawnMessage: '配送数量不能大于申领剩余数量{n}',
      },
    ],
    followUps: [{ on: 'review', kind: 'grantOdo', state: 'draft' }],
  },
  progress: {
    main: 'grant',
    statuses: { grant_state: 'grant' },
  },
  posting: {
    stockDirection: 'out',
    stockCard: 'issue_out',
    reservesStock: true,
  },
  pricing: {
    keepsPrices: true,
  },
  screens: [
    {
      route: '/hospital/dispatch',
      title: '配送管理',
      orgs: 'H',
      menu: '发放管理',
      purpose: '已批申领生成拣货单：近效期先出占用批次，拣货复核后配送到科室',
      columns: [
        'sn',
        'wave_no',
        'warehouse_model_inner_sn',
        'department_inner_sn',
        'source_sn',
        'is_urgent',
        'is_overdue',
        'line_count',
        'uncorrected_quantity',
        'corrected_quantity',
        'correction_quantity',
        'box_count',
        'grant_state',
        'picker_inner_sn',
        'rechecker_inner_sn',
        'courier_inner_sn',
        'box_no',
        'required_at',
        'due_at',
        'delivered_at',
        'state',
      ],
      filters: [
        'sn',
        'wave_no',
        'warehouse_model_inner_sn',
        'department_inner_sn',
        'source_sn',
        'is_urgent',
        'courier_inner_sn',
        'required_at',
        'is_overdue',
        'specification_sn',
        'lot_no',
        'business_date',
        'state',
      ],
    },
  ],
})
