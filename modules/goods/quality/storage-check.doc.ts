import { isPastUse } from '#kernel/rules/shelf-life.ts'
import { compare, type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { qualityStates } from '#kernel/ledger/posting.ts'
import { eachLine, hasLines, needs } from '#modules/base/vocabulary/validators.ts'

const goodOrBad = { good: '正常', bad: '异常' } as const
const yesOrNo = { yes: '符合', no: '不符合' } as const

const header = {
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  area: f.text('库区', { max: 40 }),
  check_type: f.pick('养护类型', { normal: '普通养护', key: '重点养护' }, { default: 'normal' }),
  plan_date: f.day('计划日期'),
  check_date: f.day('检查日期'),
  temperature: f.quantity('温度(℃)', { min: '-90', max: '90' }),
  humidity: f.quantity('相对湿度(%)', { min: '0', max: '100' }),
  storage_ok: f.pick('贮存条件是否符合', yesOrNo),
  protection_ok: f.pick('防护措施是否有效', yesOrNo),
  hygiene_ok: f.pick('卫生环境', yesOrNo),
  equipment: f.text('设施设备运行情况', { max: 200 }),
  abnormal_lines: f.count('异常品规数', { readOnly: true }),
  conclusion: f.pick('检查结论', { good: '合格', bad: '有异常' }, { readOnly: true, tones: { bad: 'danger' } }),
  handler_inner_sn: f.ref('养护员', 'employee'),
  business_date: f.day('制单日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  lot_no: f.lot('批号/序列号', { max: 40 }),
  production_date: f.day('生产日期'),
  expiry_date: f.expiry('有效期至'),
  location: f.text('货位', { max: 40 }),
  owner_org_sn: f.ref('货主', 'organisation'),
  quality_state: f.pick('质量状态', qualityStates),
  stock_quantity: f.quantity('库存数量', { readOnly: true }),
  quantity: f.quantity('检查数量', { required: true, min: '0' }),
  appearance: f.pick('外观质量', goodOrBad),
  packing: f.pick('包装情况', goodOrBad),
  label: f.pick('标签标识', goodOrBad),
  condition: f.pick('质量状况', { normal: '合格', abnormal: '异常' }),
  abnormal_quantity: f.quantity('异常数量', { min: '0' }),
  measure: f.text('处理措施', { max: 200 }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

const isAbnormal = (line: Line): boolean => line.condition === 'abnormal'

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('warehouse_model_inner_sn', '请选择仓库'),
    eachLine(line => Boolean(line.condition) || '请选择质量状况'),
    eachLine(line => {
      if (!isAbnormal(line)) return true
      const bad = line.abnormal_quantity as Decimal | null | undefined
      const stock = (line.stock_quantity as Decimal | null | undefined) ?? line.quantity
      const isNotified = bad && isPositive(bad) && compare(bad, stock) <= 0 && Boolean(line.measure)
      return isNotified || '请填写异常数量和处理措施'
    }),
    eachLine(
      (line, doc) =>
        !isPastUse(line, doc) || isAbnormal(line) || `批号${line.lot_no ?? ''}已过有效期，检查结论不能为合格`,
    ),
  ],
  notByAuthor: true,
  selfReviewMessage: '审核人不能与养护员为同一人',
})

/**
 * 养护检查单: the quality keeper checks goods in stock by plan. A reviewed record does not change; doubtful goods go from
 * here to a block.
 */
export const storageCheck = defineDocument({
  kind: 'storageCheck',
  title: '养护检查单',
  numberPrefix: 'YH',
  category: 'internal',
  ownerTypes: 'DV',
  header,
  lines,
  actions: {
    submit: life.submit,
    unsubmit: life.unsubmit,
    review: life.review,
    reject: life.reject,
    toStopSell: { label: '转停售', from: ['reviewed'], to: null },
  },
  lifecycle: {
    columnLabels: { line_count: '应检品规数' },
    listActions: {
      generatePlan: {
        label: '生成养护计划',
        inputs: {
          warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
          check_type: f.pick('养护类型', { normal: '普通养护', key: '重点养护' }, { required: true }),
          plan_date: f.day('计划日期'),
        },
      },
    },
  },
  compliance: { happenedAt: 'check_date' },
  posting: {
    stockDirection: 'named',
  },
  screens: [
    {
      route: '/commonView/gspInventoryManage',
      tab: '养护检查',
      title: 'GSP库存养护',
      orgs: 'DV',
      menu: '质量管理',
      purpose: '按规则生成养护计划，逐批检查在库货物，异常的转停售',
      columns: [
        'sn',
        'warehouse_model_inner_sn',
        'area',
        'check_type',
        'plan_date',
        'check_date',
        'line_count',
        'checked_count',
        'abnormal_lines',
        'conclusion',
        'temperature',
        'humidity',
        'handler_inner_sn',
        'created_by_name',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'warehouse_model_inner_sn',
        'area',
        'check_type',
        'check_date',
        'conclusion',
        'handler_inner_sn',
        'specification_sn',
        'lot_no',
        'state',
      ],
    },
  ],
})
