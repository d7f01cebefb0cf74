import { compare, isPositive, multiply } from '#kernel/values/decimal.ts'
import { defineDocument, type DocOf, regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle, stop } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { eachLine, everyLine, hasLines, inOrder } from '#modules/base/vocabulary/validators.ts'
import { askedGoods, counted, remarked, valued } from '#modules/base/vocabulary/line-fields.ts'

/** A plan this many times above the proposal needs a reason. */
const WELL_OVER = '1.5'

const header = {
  plan_type: f.pick(
    '计划类型',
    {
      normal: '常规',
      monthly: '月计划',
      weekly: '周计划',
      refill: '补货',
      claims: '申领汇总',
      urgent: '紧急',
      temporary: '临时',
      surgery: '跟台',
    },
    { default: 'normal' },
  ),
  plan_source: f.pick(
    '计划来源',
    { hand: '手工', low_stock: '低库存', claims: '科室申领', use: '近期用量', shortage: '缺货销售订单' },
    { default: 'hand', readOnly: true },
  ),
  warehouse_model_inner_sn: f.ref('需求仓库', 'warehouse'),
  department_inner_sn: f.ref('申请部门', 'department'),
  period: f.text('计划期间', { max: 40 }),
  business_date: f.day('计划日期'),
  expected_date: f.day('需求日期'),
  handler_inner_sn: f.ref('经办人', 'employee'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...askedGoods,
  available_quantity: f.quantity('可用库存', { readOnly: true, hint: '基本单位；保存时计算' }),
  coming_quantity: f.quantity('在途数量', { readOnly: true, hint: '已审核采购订单中尚未入库的数量' }),
  unmet_quantity: f.quantity('未满足申领', { readOnly: true }),
  min_quantity: f.quantity('库存下限', { readOnly: true }),
  max_quantity: f.quantity('库存上限', { readOnly: true }),
  used_30_days: f.quantity('近30天用量', { readOnly: true }),
  proposed_quantity: f.quantity('建议数量', {
    readOnly: true,
    hint: '上限－可用库存－在途＋未满足申领，不少于供应商最小起订量，按最小销售单位取整',
  }),
  ...counted('计划数量'),
  supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
  supply_regime: f.pick('货权方式', regimes),
  ...valued('参考单价'),
  department_inner_sn: f.ref('需求科室', 'department', { named: 'a plan gathers what departments ask for' }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

/** True if a line requests much more than was proposed. */
export const wellOver = (line: Pick<Line, 'base_quantity' | 'proposed_quantity'>): boolean => {
  const proposed = String(line.proposed_quantity ?? '0')
  return isPositive(proposed) && compare(line.base_quantity, multiply(proposed, WELL_OVER, 3)) > 0
}

/** The same model for the same need appears once: requests of two departments are two needs. */
const eachOnce = (doc: { readonly lines: readonly Line[] }): true | string => {
  const seen = new Set<string>()
  for (const line of doc.lines) {
    const need = [line.specification_sn, line.department_inner_sn, line.source_sn, line.source_line_no].join('/')
    if (seen.has(need)) return `同一规格不能重复：${line.product_name ?? ''} ${line.specification_name ?? ''}`
    seen.add(need)
  }
  return true
}

const actions = {
  ...lifecycle<Doc>({
    submit: [
      hasLines,
      everyLine<Doc>('计划数量必须大于0', line => isPositive(line.quantity)),
      eachOnce,
      inOrder('business_date', 'expected_date', '需求日期不能早于计划日期'),
      eachLine<Doc>(
        line =>
          !wellOver(line) ||
          Boolean(line.remark) ||
          `计划数量超过建议数量${String(line.proposed_quantity)}的1.5倍，请在备注说明`,
      ),
    ],
    blockedMessage: '计划已被下游单据引用，不能反审核',
  }),
  toOrder: {
    label: '转采购订单',
    from: ['reviewed', 'partial'],
    to: null,
    tone: 'primary',
    guards: [
      (doc: { readonly lines: readonly Line[] }): true | string => {
        const bare = doc.lines.find(line => !line.supplier_sn)
        return bare === undefined || `请先指定供应商：${bare.product_name ?? ''} ${bare.specification_name ?? ''}`
      },
    ],
  },
  toEnquiry: { label: '转询价', from: ['reviewed', 'partial'], to: null },
  stop,
} as const

const columns = [
  'sn',
  'plan_type',
  'plan_source',
  'order_state',
  'warehouse_model_inner_sn',
  'business_date',
  'expected_date',
  'line_count',
  'total_quantity',
  'taxed_amount',
  'ordered_quantity',
  'enquired_quantity',
  'unordered_quantity',
  'ordered_amount',
  'ordered_share',
  'handler_inner_sn',
  'created_at',
  'reviewed_by_name',
  'reviewed_at',
  'state',
  'remark',
] as const
const filters = [
  'sn',
  'plan_type',
  'plan_source',
  'warehouse_model_inner_sn',
  'business_date',
  'expected_date',
  'handler_inner_sn',
  'specification_sn',
  'supplier_sn',
  'order_state',
  'state',
] as const

/**
 * 采购计划: the goods that must be bought and why (by hand, from low stock, usage, wards' requests or orders lacking
 * goods); once reviewed, it becomes orders by supplier.
 */
export const purchasePlan = defineDocument({
  kind: 'purchasePlan',
  title: '采购计划',
  numberPrefix: 'JH',
  category: 'procurement',
  ownerTypes: 'HDV',
  header,
  lines,
  lineRules: {
    import: true,
  },
  actions: actions,
  lifecycle: {
    columnLabels: { total_quantity: '计划数量', taxed_amount: '计划金额' },
    listActions: {
      fromLowStock: { label: '低库存生成', inputs: { warehouse_model_inner_sn: f.ref('需求仓库', 'warehouse') } },
      fromUse: { label: '按用量生成', orgs: 'H', inputs: { warehouse_model_inner_sn: f.ref('需求仓库', 'warehouse') } },
      fromClaim: {
        label: '按申领汇总',
        orgs: 'H',
        inputs: { warehouse_model_inner_sn: f.ref('供货仓库', 'warehouse', { required: true }) },
      },
      fromShortage: {
        label: '缺货订单生成',
        orgs: 'DV',
        inputs: { warehouse_model_inner_sn: f.ref('需求仓库', 'warehouse') },
      },
    },
  },
  sourcing: {
    sources: [
      {
        from: 'requisition',
        for: 'requisition',
        sourceType: sourceTypes.REQUISITION,
        purpose: 'plan',
        sharesLimitWith: ['grant', 'allocate'],
        countedAt: 'submit',
        multipleSources: true,
        localOnly: true,
        overdrawnMessage: '计划数量超过申领未满足数量{n}',
      },
    ],
  },
  progress: {
    main: 'order',
    mainAlso: ['enquire'],
    statuses: { order_state: 'order' },
    columns: {
      enquired_quantity: { label: '询价数量', purpose: 'enquire', of: 'quantity' },
      ordered_quantity: { label: '已订数量', purpose: 'order', of: 'quantity' },
      unordered_quantity: { label: '未订数量', purpose: 'order', of: 'quantity', rest: true },
      ordered_amount: { label: '已下单金额', purpose: 'order', of: 'value' },
      ordered_share: { label: '执行进度', purpose: 'order', of: 'share' },
    },
  },
  posting: {
    stockDirection: 'named',
  },
  screens: [
    {
      route: '/commonView/plan',
      title: '采购计划',
      orgs: 'DV',
      menu: '采购管理',
      purpose: '汇总要采购的产品，审核后按供应商转为采购订单',
      columns,
      filters,
    },
    {
      route: '/hospital/purchasePlan',
      title: '采购计划',
      orgs: 'H',
      menu: '采购管理',
      purpose: '按下限、科室申领或近期用量计划采购，审核后按供应商生成采购订单',
      columns,
      filters: [...filters, 'department_inner_sn'],
    },
  ],
})
