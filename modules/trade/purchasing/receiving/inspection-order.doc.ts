import { defineDocument, regimes, type DocOf } from '#kernel/definition/document.ts'
import { type Decimal, isPositive, share } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  addsUp,
  codesMatchQuantity,
  differ,
  everyLine,
  everyLineHasSource,
  hasLines,
  needs,
  positiveQuantity,
  reasoned,
  within,
} from '#modules/base/vocabulary/validators.ts'
import { disposalMethods } from '#modules/trade/purchasing/receiving/disposal-states.ts'
import {
  arrivingGoods,
  counted,
  disposed,
  pieces,
  remarked,
  sterilised,
  valued,
} from '#modules/base/vocabulary/line-fields.ts'

const header = {
  counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
  warehouse_model_inner_sn: f.ref('验收仓库', 'warehouse', { required: true }),
  regime: f.pick('货权方式', regimes, { default: 'purchased' }),
  delivery_note_no: f.text('随货同行单号', { max: 40 }),
  arrival_date: f.day('到货日期'),
  transport: f.text('运输方式', { max: 40 }),
  arrival_temperature: f.text('到货温度', { max: 20 }),
  handler_inner_sn: f.ref('验收员', 'employee', { hint: '留空为提交的本人；不能复核本单' }),
  second_inspector_inner_sn: f.ref('第二验收员', 'employee'),
  receiver_inner_sn: f.ref('收货员', 'employee', { readOnly: true, hint: '到货单的收货员；不能复核本单' }),
  basis: f.text('验收依据', { max: 100 }),
  conclusion: f.pick(
    '验收结论',
    { qualified: '合格', partly: '部分合格', unqualified: '不合格' },
    { hint: '提交时按合格数量与不合格数量判定' },
  ),
  qualified_total: f.quantity('合格数量', { readOnly: true }),
  unqualified_total: f.quantity('不合格数量', { readOnly: true }),
  reinspect_lines: f.text('行号', {
    dialogOnly: true,
    max: 100,
    match: /^\d{1,4}([,，、 ]+\d{1,4})*$/,
    matchMsg: '行号请用逗号隔开，如 1,3',
    hint: '如 1,3；留空为全部',
  }),
  disposal_lines: f.text('行号', {
    dialogOnly: true,
    max: 100,
    match: /^\d{1,4}([,，、 ]+\d{1,4})*$/,
    matchMsg: '行号请用逗号隔开，如 1,3',
    hint: '如 1,3；留空为全部待处置的行',
  }),
  disposal_method: f.pick('处置方式', disposalMethods, {
    dialogOnly: true,
    hint: '验收时退货、换货的已拒收，留空',
  }),
  disposal_note: f.text('处置说明', { dialogOnly: true, max: 200 }),
  disposal_files: f.files('处置凭证', { dialogOnly: true, hint: '供应商取回的签收单、物流单' }),
  business_date: f.day('验收日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('检验报告/合格证'),
}
const lines = {
  ...arrivingGoods,
  ...sterilised,
  sterilisation_date: f.day('灭菌日期'),
  ...pieces('序列号/院内码'),
  ...counted('验收数量'),
  sample_quantity: f.quantity('抽检数量', { min: '0' }),
  qualified_quantity: f.quantity('合格数量', { min: '0', hint: '留空为验收数量减不合格数量' }),
  unqualified_quantity: f.quantity('不合格数量', { min: '0' }),
  unqualified_reason: f.text('不合格事项', { max: 200 }),
  is_reinspected: f.flag('复检', { readOnly: true }),
  first_qualified: f.quantity('初检合格数量', { readOnly: true }),
  first_unqualified: f.quantity('初检不合格数量', { readOnly: true }),
  first_reason: f.text('初检不合格事项', { readOnly: true }),
  ...disposed,
  disposed_on: f.day('处置日期', { readOnly: true }),
  disposed_by: f.text('处置人', { readOnly: true }),
  line_disposal_note: f.text('处置说明', { readOnly: true }),
  disposal_proof: f.files('处置凭证', { readOnly: true }),
  exchange_no: f.text('换货订单', { readOnly: true }),
  appearance: f.text('外观包装', { max: 80 }),
  label_check: f.text('标签说明书', { max: 80 }),
  lot_note: f.text('批号提示', { readOnly: true }),
  certificate_check: f.text('合格证明文件', { max: 80 }),
  lot_papers: f.files('合格证明附件', { hint: '每个批号上传一次，产品合格证明中已有的不必再传' }),
  ...valued(),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

/**
 * 验收单: arrived goods inspected lot by lot; goods that pass may be received. Neither the inspector nor the receiver may
 * review it.
 */
export const inspectionOrder = defineDocument({
  kind: 'inspectionOrder',
  title: '验收单',
  numberPrefix: 'YS',
  category: 'procurement',
  ownerTypes: 'HDV',
  facts: { inspected: 1 },
  header,
  lines,
  lineRules: {
    scanning: {},
    // Goods that go back to the supplier are never received.
    selfClosed: line => {
      const quantity = goingBack(line) ? share(line.base_quantity, unqualified(line), line.quantity, 3) : '0'
      return isPositive(quantity) ? { purpose: 'return', quantity } : null
    },
    rejected: line => (goingBack(line) ? { purpose: 'reject', quantity: unqualified(line) } : null),
  },
  actions: {
    ...lifecycle<Doc>({
      submit: [
        hasLines,
        everyLineHasSource('请引用到货单'),
        needs('warehouse_model_inner_sn', '请选择验收仓库'),
        positiveQuantity,
        codesMatchQuantity,
        within('sample_quantity', 'quantity', '抽检数量不能大于验收数量'),
        everyLine(
          '要求复检，请填写复检的合格数量',
          line => line.is_reinspected !== true || Boolean(line.qualified_quantity),
        ),
        within('unqualified_quantity', 'quantity', '不合格数量不能大于验收数量'),
        addsUp('qualified_quantity', 'unqualified_quantity', '合格数量与不合格数量之和必须等于本次验收数量'),
        reasoned('unqualified_quantity', 'unqualified_reason', '请填写不合格事项及处置措施'),
        reasoned('unqualified_quantity', 'disposition', '请填写不合格事项及处置措施'),
        differ('second_inspector_inner_sn', 'handler_inner_sn', '第二验收员与验收员不能为同一人'),
      ],
      blockedMessage: '已生成入库或已处置，不能反审核',
    }),
    // Lines without a result count as qualified at submission; applied to all lines, it overwrites earlier results.
    passAll: { label: '全部合格', from: ['draft', 'rejected'], to: null, guards: [hasLines] },
    reinspect: {
      label: '要求复检',
      from: ['submitted'],
      to: 'rejected',
      inputs: ['reinspect_lines'],
      requiresReason: '请填写要求复检的原因',
    },
    // Sent back by mistake: the sender withdraws its return, and the document waits to be reviewed or inspected again.
    unrefuse: {
      label: '撤销拒收',
      effect: 'unrefuse',
      from: ['reviewed', 'completed'],
      to: 'submitted',
      requiresReason: true,
      blockedMessage: '已生成入库或已处置，不能撤销拒收',
      guards: [doc => doc.lines.some(goingBack) || '该验收单没有退货或换货的不合格品'],
    },
    dispose: {
      label: '不合格处置',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      inputs: ['disposal_lines', 'disposal_method', 'disposal_note', 'disposal_files'],
      guards: [doc => doc.lines.some(line => isPositive(unqualified(line))) || '该验收单没有不合格品'],
    },
  },
  lifecycle: {
    handlerSubmits: true,
    manualEntry: false,
  },
  sourcing: {
    sources: [
      {
        from: 'arrivalOrder',
        for: 'arrival',
        sourceType: sourceTypes.ARRIVAL_RECORD,
        purpose: 'inspect',
        overdrawnMessage: '验收数量超过到货剩余数量{n}',
        headerMap: { arrival_date: 'business_date', receiver_inner_sn: 'handler_inner_sn' },
      },
    ],
    followUps: [{ on: 'review', kind: 'purchaseGrn', state: 'draft' }],
  },
  progress: {
    main: 'receive',
    mainAlso: ['return'],
    statuses: { receive_state: 'receive' },
  },
  posting: {
    stockDirection: 'in',
    incoming: { until: ['receive', 'return'] },
  },
  compliance: {
    party: 'supplier',
    checkpoint: 'arrival',
    verb: '验收',
    dateField: 'arrival_date',
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
        'qualified_total',
        'unqualified_total',
        'conclusion',
        'handler_inner_sn',
        'second_inspector_inner_sn',
        'receiver_inner_sn',
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
        'registration_no',
        'conclusion',
        'handler_inner_sn',
        'state',
      ],
      actions: ['add', 'edit', 'del', 'passAll', 'submit', 'unsubmit', 'cancel'],
    },
    {
      route: '/commonView/inspectionOrder/qualityManagement',
      tab: '验收单',
      leads: true,
      title: '验收质量复核',
      orgs: 'HDV',
      menu: '采购管理',
      purpose: '质量负责人复核验收记录：审核、驳回或要求复检',
      columns: [
        'sn',
        'source_sn',
        'counterparty_sn',
        'business_date',
        'line_count',
        'total_quantity',
        'qualified_total',
        'unqualified_total',
        'goods_in_question',
        'conclusion',
        'handler_inner_sn',
        'receiver_inner_sn',
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
        'state',
      ],
      states: ['submitted', 'rejected', 'reviewed', 'partial', 'completed'],
      actions: ['review', 'reject', 'reinspect', 'unreview', 'unrefuse', 'dispose'],
    },
  ],
})

const unqualified = (line: Line): Decimal => (line.unqualified_quantity as Decimal | null) ?? '0'
/** True if the unqualified part of a line is returned to the supplier. */
const goingBack = (line: Line): boolean =>
  isPositive(unqualified(line)) && ['return', 'exchange'].includes(String(line.disposition))
