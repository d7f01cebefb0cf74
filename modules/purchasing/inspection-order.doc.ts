import { type CommonLine, defineDocument, regimes } from '#kernel/document.ts'
import { type Decimal, isPositive, share } from '#kernel/decimal.ts'
import { f } from '#kernel/field.ts'
import { lifecycle } from '#kernel/lifecycle.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import {
  addsUp,
  codesMatchQuantity,
  differ,
  everyLineHasSource,
  expiryAfterProduction,
  hasLines,
  needs,
  own,
  positiveQuantity,
  reasoned,
  within,
} from '#modules/guards.ts'
import { arrivingGoods, counted, disposed, pieces, remarked, sterilised, valued } from '#modules/lines.ts'

/** 验收单: arrived goods examined lot by lot; what passes may be received, and whoever inspected does not sign twice. */
export const inspectionOrder = defineDocument({
  kind: 'inspectionOrder',
  title: '验收单',
  prefix: 'YS',
  family: 'procurement',
  keptBy: 'HDV',
  goods: 'in',
  gate: 'supplier',
  deed: '验收',
  byHand: false,
  main: 'receive',
  mainAlso: ['return'],
  derives: { receive_state: 'receive' },
  header: {
    counterparty_sn: f.ref('供应商', 'organisation', { required: true, narrow: { relation: 'supplier' } }),
    warehouse_model_inner_sn: f.ref('验收仓库', 'warehouse', { required: true }),
    regime: f.pick('货权方式', regimes, { default: 'purchased' }),
    delivery_note_no: f.text('随货同行单号', { max: 40 }),
    arrival_date: f.day('到货日期'),
    transport: f.text('运输方式', { max: 40 }),
    arrival_temperature: f.text('到货温度', { max: 20 }),
    handler_inner_sn: f.ref('验收员', 'employee'),
    second_inspector_inner_sn: f.ref('第二验收员', 'employee'),
    basis: f.text('验收依据', { max: 100 }),
    conclusion: f.pick('验收结论', { qualified: '合格', partly: '部分合格', unqualified: '不合格' }),
    disposal_state: f.pick('处置状态', { '1': '待处置', '2': '处置中', '3': '已处置' }),
    disposal_note: f.text('处置说明', { max: 200 }),
    business_date: f.day('验收日期'),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('检验报告/合格证'),
  },
  lines: {
    ...arrivingGoods,
    ...sterilised,
    sterilisation_date: f.day('灭菌日期'),
    ...pieces('序列号/院内码'),
    ...counted('验收数量'),
    sample_quantity: f.quantity('抽检数量', { min: '0' }),
    qualified_quantity: f.quantity('合格数量', { min: '0', hint: '留空为验收数量减不合格数量' }),
    unqualified_quantity: f.quantity('不合格数量', { min: '0' }),
    unqualified_reason: f.text('不合格事项', { max: 200 }),
    ...disposed,
    appearance: f.text('外观包装', { max: 80 }),
    label_check: f.text('标签说明书', { max: 80 }),
    certificate_check: f.text('合格证明文件', { max: 80 }),
    ...valued(),
    ...remarked,
  },
  takes: [
    {
      from: 'arrivalOrder',
      for: 'arrival',
      sourceType: sourceTypes.ARRIVAL_RECORD,
      purpose: 'inspect',
      exceeded: '验收数量超过到货剩余数量{n}',
      carries: { arrival_date: 'business_date' },
    },
  ],
  makes: [{ on: 'review', kind: 'purchaseGrn', state: 'draft' }],
  // What goes back to the supplier is never received.
  closes: line => {
    const quantity = goingBack(line)
    return isPositive(quantity) ? { purpose: 'return', quantity } : null
  },
  actions: {
    ...lifecycle({
      submit: [
        hasLines,
        everyLineHasSource('请引用到货单'),
        needs('warehouse_model_inner_sn', '请选择验收仓库'),
        positiveQuantity,
        expiryAfterProduction,
        codesMatchQuantity,
        within('unqualified_quantity', 'quantity', '不合格数量不能大于验收数量'),
        addsUp('qualified_quantity', 'unqualified_quantity', '合格数量与不合格数量之和必须等于本次验收数量'),
        reasoned('unqualified_quantity', 'unqualified_reason', '请填写不合格事项及处置措施'),
        reasoned('unqualified_quantity', 'disposition', '请填写不合格事项及处置措施'),
        differ('second_inspector_inner_sn', 'handler_inner_sn', '第二验收员与验收员不能为同一人'),
      ],
      taken: '已生成入库或已处置，不能反审核',
    }),
    dispose: {
      label: '不合格处置',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      asks: ['disposal_state', 'disposal_note'],
      guards: [needs('disposal_state', '请选择处置状态')],
    },
  },
  screens: [
    {
      route: '/commonView/inspectionOrder',
      title: '验收单',
      orgs: 'HDV',
      menu: '采购管理',
      purpose: '逐批验收到货：外观、标签、证明文件与效期，合格的方可入库',
      columns: [
        'sn',
        'source_sn',
        'counterparty_sn',
        'warehouse_model_inner_sn',
        'arrival_date',
        'business_date',
        'line_count',
        'total_quantity',
        'conclusion',
        'handler_inner_sn',
        'second_inspector_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'receive_state',
        'state',
      ],
      filters: [
        'sn',
        'source_sn',
        'counterparty_sn',
        'business_date',
        'warehouse_model_inner_sn',
        'specification_sn',
        'lot_no',
        'conclusion',
        'handler_inner_sn',
        'state',
      ],
      actions: ['add', 'edit', 'del', 'submit', 'unsubmit', 'cancel'],
    },
    {
      route: '/commonView/inspectionOrder/qualityManagement',
      title: '验收质量复核',
      orgs: 'HDV',
      menu: '采购管理',
      purpose: '质量负责人复核验收记录，跟踪不合格品处置',
      columns: [
        'sn',
        'source_sn',
        'counterparty_sn',
        'business_date',
        'line_count',
        'total_quantity',
        'conclusion',
        'disposal_state',
        'disposal_note',
        'handler_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'business_date',
        'reviewed_at',
        'specification_sn',
        'lot_no',
        'conclusion',
        'disposal_state',
        'state',
      ],
      states: ['submitted', 'rejected', 'reviewed', 'partial', 'completed'],
      actions: ['review', 'reject', 'unreview', 'dispose'],
    },
  ],
})

/** Base quantity of a line's unqualified part that returns to the supplier. */
const goingBack = (line: CommonLine): Decimal => {
  const bad = (own(line, 'unqualified_quantity') as Decimal | null) ?? '0'
  return isPositive(bad) && ['return', 'exchange'].includes(String(own(line, 'disposition')))
    ? share(line.base_quantity, bad, line.quantity, 3)
    : '0.000'
}
