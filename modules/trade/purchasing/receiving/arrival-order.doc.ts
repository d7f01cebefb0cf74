import { isPastUse } from '#kernel/rules/shelf-life.ts'
import { defineDocument, type DocOf, regimes } from '#kernel/definition/document.ts'
import { type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  codesMatchQuantity,
  eachLine,
  everyLine,
  everyLineHasSource,
  hasFiles,
  hasLines,
  needs,
  needsWhen,
  reasoned,
} from '#modules/base/vocabulary/validators.ts'
import {
  abnormalities,
  decisions,
  notOwnArrival,
  opinion,
} from '#modules/trade/purchasing/receiving/arrival-decisions.ts'
import { counted, offeredGoods, pieces, remarked, sterilised, valued } from '#modules/base/vocabulary/line-fields.ts'

const header = {
  counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
  warehouse_model_inner_sn: f.ref('收货仓库', 'warehouse', { required: true }),
  regime: f.pick('货权方式', regimes, { default: 'purchased' }),
  delivery_note_no: f.text('随货同行单号', { max: 40 }),
  arrived_at: f.instant('到货时间'),
  carrier: f.text('承运单位', { max: 60 }),
  waybill_no: f.text('运单号', { max: 40 }),
  transport: f.text('运输方式', { max: 40 }),
  departed_at: f.instant('启运时间'),
  storage_condition: f.text('储运条件', { max: 40 }),
  departure_temperature: f.text('启运温度', { max: 20 }),
  arrival_temperature: f.text('到货温度', { max: 20 }),
  temperature_record_no: f.text('温度记录编号', { max: 60 }),
  temperature_record: f.files('在途温度记录'),
  is_cold_chain: f.flag('冷链', { hint: '有冷链产品时自动勾选' }),
  is_abnormal: f.flag('异常'),
  abnormal_type: f.pick('异常类型', abnormalities),
  abnormal_note: f.text('异常说明', { max: 200 }),
  refused_total: f.quantity('拒收数量', { readOnly: true }),
  quality_decision: f.pick('处理结论', decisions, { readOnly: true }),
  quality_opinion: f.text('处理意见', { max: 200 }),
  quality_lines: f.text('行号', {
    dialogOnly: true,
    max: 100,
    match: /^\d{1,4}([,，、 ]+\d{1,4})*$/,
    matchMsg: '行号请用逗号隔开，如 1,3',
    hint: '如 1,3；留空为全部',
  }),
  quality_handler_inner_sn: f.ref('处理人', 'employee'),
  handler_inner_sn: f.ref('收货员', 'employee', { hint: '留空为提交的本人' }),
  business_date: f.day('到货日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...offeredGoods,
  ...sterilised,
  ...pieces('序列号/院内码'),
  ...counted('到货数量', '0'),
  refused_quantity: f.quantity('拒收数量', { min: '0' }),
  refuse_reason: f.text('拒收原因', { max: 200 }),
  unrefused_quantity: f.quantity('撤销拒收数量', { readOnly: true }),
  packing: f.text('外包装情况', { max: 80 }),
  is_near_expiry: f.flag('近效期', { readOnly: true }),
  line_abnormal: f.pick('异常类型', abnormalities, { readOnly: true }),
  line_decision: f.pick('处理结论', decisions, { readOnly: true }),
  line_opinion: f.text('处理意见', { readOnly: true }),
  line_note: f.text('异常说明', { readOnly: true }),
  line_decided_by: f.text('处理人', { readOnly: true }),
  line_decided_at: f.instant('处理时间', { readOnly: true }),
  ...valued(),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

const wasRefused = (line: Line): boolean => isPositive((line.refused_quantity as Decimal | null) ?? '0')
/** The flagged lines to decide, and the decider; if none are named, all waiting ones. The result is on the lines. */
const decide = {
  from: ['submitted'],
  to: null,
  inputs: ['quality_opinion', 'quality_lines', 'quality_handler_inner_sn'],
  guards: [opinion, notOwnArrival],
} as const

/**
 * 到货单: the unloaded goods, counted against the delivery and the order; faulty goods are refused on arrival, the rest
 * goes to inspection.
 */
export const arrivalOrder = defineDocument({
  kind: 'arrivalOrder',
  title: '到货单',
  numberPrefix: 'DH',
  category: 'procurement',
  ownerTypes: 'HDV',
  facts: { arrived: 1 },
  header,
  lines,
  lineRules: {
    scanning: {},
    // Goods refused on arrival belong to the sender, who takes them back.
    rejected: line => {
      const quantity = line.refused_quantity ?? '0'
      return isPositive(quantity) ? { purpose: 'refuse', quantity } : null
    },
  },
  actions: {
    ...lifecycle<Doc>({
      submit: [
        hasLines,
        needs('counterparty_sn', '请选择供应商'),
        needs('warehouse_model_inner_sn', '请选择收货仓库'),
        everyLineHasSource('请引用采购订单或供应商发货单'),
        everyLine('到货数量与拒收数量不能都为0', line => isPositive(line.quantity) || wasRefused(line)),
        reasoned('refused_quantity', 'refuse_reason', '请填写拒收原因'),
        eachLine(
          (line, doc) =>
            !isPositive(line.quantity) ||
            !isPastUse(line, doc) ||
            `${line.product_name ?? ''}批号${line.lot_no ?? ''}已过期，请拒收`,
        ),
        needsWhen('is_cold_chain', true, 'departed_at', '冷链货物请填写启运时间'),
        needsWhen('is_cold_chain', true, 'arrival_temperature', '冷链货物请填写到货温度'),
        doc =>
          doc.is_cold_chain !== true ||
          Boolean(doc.temperature_record_no) ||
          hasFiles(doc, 'temperature_record') ||
          '冷链货物请上传在途温度记录或填写记录编号',
        codesMatchQuantity,
      ],
      review: [
        doc =>
          doc.is_abnormal !== true ||
          ['pass', 'refuse'].includes(String(doc.quality_decision)) ||
          '存在未处理的质量异常，不能审核',
      ],
      blockedMessage: '已开始验收，不能反审核',
    }),
    sendQuality: {
      label: '转质量处理',
      from: ['submitted'],
      to: null,
      inputs: ['abnormal_type', 'abnormal_note', 'quality_lines'],
      sets: { quality_decision: 'pending', is_abnormal: true },
      guards: [needs('abnormal_type', '请选择异常类型')],
    },
    qualityPass: { label: '放行', tone: 'primary', ...decide },
    // Quality refuses the line: its arrived quantity becomes 拒收数量.
    qualityRefuse: { label: '拒收', tone: 'danger', ...decide },
    qualityHold: { label: '待查', ...decide },
    withdraw: {
      label: '撤销处理',
      from: ['submitted'],
      to: null,
      inputs: ['quality_lines'],
      guards: [doc => doc.is_abnormal === true || '该到货单没有质量处理'],
    },
    // A mistake: the goods are here and are accepted after all, on an arrival of their own.
    unrefuse: {
      label: '撤销拒收',
      effect: 'unrefuse',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      requiresReason: true,
      guards: [doc => doc.lines.some(wasRefused) || '该到货单没有拒收的货物'],
    },
  },
  lifecycle: {
    columnLabels: { total_quantity: '到货数量' },
    stopsWithSource: true,
    handlerSubmits: true,
    manualEntry: false,
  },
  sourcing: {
    sourceLabels: { label: '来源类型', choices: { [sourceTypes.ODO]: '供应商发货单' } },
    sources: [
      {
        from: 'saleOdo',
        for: 'odo',
        sourceType: sourceTypes.ODO,
        purpose: 'arrive',
        fromCounterparty: true,
        // A closing message has another subject: a sale of goods that were on consignment.
        states: ['reviewed', 'partial'],
        rollup: [{ via: 'order', purpose: 'arrive', withTolerance: true }],
        // Goods that were once refused do not arrive a second time.
        sharesLimitWith: ['refuse'],
        overdrawnMessage: '到货数量超过来源单剩余数量{n}',
        headerMap: { delivery_note_no: 'sn' },
      },
      {
        from: 'purchaseOrder',
        for: 'po',
        sourceType: sourceTypes.ORDER_PO,
        purpose: 'arrive',
        withTolerance: true,
        overdrawnMessage: '到货数量超过订单剩余数量{n}',
      },
      {
        from: 'purchaseOrder',
        for: 'records',
        label: '采购记录',
        sourceType: sourceTypes.PO_RECORDS,
        purpose: 'arrive',
        multipleSources: true,
        withTolerance: true,
        overdrawnMessage: '到货数量超过订单剩余数量{n}',
      },
    ],
    followUps: [{ on: 'review', kind: 'inspectionOrder', state: 'draft' }],
  },
  progress: {
    main: 'inspect',
    statuses: { inspect_state: 'inspect' },
  },
  posting: {
    stockDirection: 'in',
    incoming: { until: ['inspect'] },
  },
  compliance: {
    party: 'supplier',
    checkpoint: 'arrival',
    verb: '到货',
  },
  screens: [
    {
      route: '/commonView/arrivalOrder',
      title: '到货单',
      orgs: 'HDV',
      menu: '采购管理',
      purpose: '卸货清点：对照发货单与订单扫码，拒收不符，其余交验收',
      columns: [
        'sn',
        'counterparty_sn',
        'source_type',
        'source_sn',
        'delivery_note_no',
        'business_date',
        'warehouse_model_inner_sn',
        'line_count',
        'total_quantity',
        'refused_total',
        'is_cold_chain',
        'is_abnormal',
        'inspect_state',
        'handler_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'source_sn',
        'delivery_note_no',
        'business_date',
        'warehouse_model_inner_sn',
        'specification_sn',
        'lot_no',
        'is_cold_chain',
        'is_abnormal',
        'state',
      ],
      actions: [
        'add',
        'edit',
        'del',
        'submit',
        'unsubmit',
        'review',
        'reject',
        'unreview',
        'sendQuality',
        'unrefuse',
        'cancel',
      ],
    },
    {
      route: '/commonView/arrivalOrder/qualityManagement',
      tab: '到货单',
      title: '到货质量管理',
      orgs: 'HDV',
      menu: '采购管理',
      purpose: '有质量异常的到货单：整单放行、拒收或待查',
      columns: [
        'sn',
        'counterparty_sn',
        'delivery_note_no',
        'business_date',
        'line_count',
        'total_quantity',
        'goods_in_question',
        'abnormal_type',
        'abnormal_note',
        'quality_decision',
        'quality_opinion',
        'quality_handler_inner_sn',
        'state',
      ],
      filters: [
        'sn',
        'abnormal_type',
        'counterparty_sn',
        'business_date',
        'specification_sn',
        'lot_no',
        'quality_decision',
        'quality_handler_inner_sn',
        'state',
      ],
      where: { is_abnormal: 'true' },
      actions: ['qualityPass', 'qualityRefuse', 'qualityHold', 'withdraw'],
    },
  ],
})
