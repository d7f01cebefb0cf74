import { regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, lot, narrowing, ofReader, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'
import { ofGoods } from '#modules/platform/reports/trade/goods-filters.ts'
import { valueClasses } from '#modules/platform/reports/use/use-filters.ts'

const kinds = {
  saleOdo: '销售出库',
  boneSale: '手术跟台销售',
  settlementGrn: '寄售结算',
  saleReturn: '销售退货',
  advanceSale: '预出库',
  advanceReturn: '预出库退回',
  boneBack: '跟台退回',
  giveOdo: '赠送出库',
  otherOdo: '其他出库',
  transfer: '调拨出库',
  transferReturn: '调拨退回',
  grantOdo: '科室发放',
  grantReturn: '科室退库',
  purchaseReturn: '采购退货',
  loss: '报损',
  scrap: '报废',
} as const
export const receiptStates = { waiting: '待收货', received: '已收货', short: '有差异' } as const
/** The kinds of issues that a reader can choose; each includes its returns. */
const issueTypes = {
  saleOdo: '销售出库',
  boneSale: '手术跟台销售',
  settlementGrn: '寄售结算',
  advanceSale: '预出库',
  giveOdo: '赠送出库',
  otherOdo: '其他出库',
  transfer: '调拨出库',
  grantOdo: '科室发放',
  purchaseReturn: '采购退货',
  loss: '报损',
  scrap: '报废',
} as const

const sqlFile = 'platform/reports/moves/issued-lines.sql'
const filters = {
  ...period,
  issue_type: f.pick('出库类型', issueTypes),
  warehouse_model_inner_sn: narrowing.warehouse_model_inner_sn,
  counterparty_sn: f.ref('客户', 'organisation', { orgs: 'DV' }),
  department_inner_sn: f.ref('领用科室', 'department', { orgs: 'H' }),
  ...ofGoods,
  value_class: f.pick('高值/低值/试剂', valueClasses),
  supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  regime: f.pick('货权方式', regimes),
  lot_no: f.lot('批号'),
  unit_code: f.piece('院内码'),
  document_sn: f.text('单据号'),
  ...ofReader,
} as const
const columns = {
  day: f.day('出库日期'),
  document_kind: f.pick('出库类型', kinds),
  document_sn: f.text('单据号', { width: 130 }),
  warehouse_name: f.text('仓库'),
  receiver_name: f.text('领用科室/对方单位', { width: 180 }),
  ...goods,
  ...unit,
  supplier_name: f.text('供应商', { width: 180 }),
  regime: f.pick('货权方式', regimes),
  class_name: f.text('产品分类'),
  ...lot,
  codes: f.text('院内码', { width: 170 }),
  quantity: f.quantity('数量', { hint: '与金额同一范围的件数，按基本单位' }),
  price: f.price('单价(含税)'),
  amount: f.amount('金额(含税)', shows(measures.sold, measures.granted)),
  cost: f.cost('成本金额'),
  profit: f.margin('毛利', { orgs: 'DV', hint: '销售额（不含税）减成本（不含税）' }),
  receipt_state: f.pick('收货状态', receiptStates, { orgs: 'H', tones: { short: 'danger', received: 'success' } }),
  handler_name: f.text('经办人'),
} as const
/** Columns that analyses and boards read beside those that are shown. */
const facts = {
  first_id: f.text('原单'),
  warehouse_sn: f.text('仓库'),
  counterparty_sn: f.text('往来单位'),
  partner_division: f.text('地区'),
  department_sn: f.text('科室'),
  specification_sn: f.text('规格'),
  supplier_sn: f.text('供应商'),
  class_sn: f.text('产品分类'),
  untaxed_amount: f.amount('不含税金额'),
  handler_sn: f.text('经办人'),
  issued_quantity: f.quantity('出库数量'),
  issued_amount: f.amount('出库金额'),
  returned_quantity: f.quantity('退回数量'),
  returned_amount: f.amount('退回金额'),
  own_amount: f.amount('自有金额'),
  consigned_amount: f.amount('寄售金额'),
  charge_price: f.price('收费价'),
  charge_amount: f.amount('收费金额'),
} as const
const shownFrom = [
  'day',
  'document_kind',
  'document_sn',
  'warehouse_name',
  'receiver_name',
  'product_code',
  'product_name',
  'specification_name',
  'unit_name',
  'manufacturer_name',
  'supplier_name',
  'regime',
  'lot_no',
  'expiry_date',
  'quantity',
  'price',
  'amount',
] as const

/**
 * 出库明细: what left the own stores, with what came back as a minus on its own day. Unless a type is chosen, sales for a
 * trader and grants for a hospital: transfers and advance deliveries are no consumption, and goods that were shipped on
 * consignment are sold with their settlement. In base units and yuan; goods without a price at their cost.
 */
export const issuedLines = defineReport({
  kind: 'issuedLines',
  title: '出库明细',
  beside: facts,
  sqlFile,
  parameters: filters,
  fixed: {
    side: 'business',
    less_returns: true,
    store_model: null,
    is_high_value: null,
    is_chargeable: null,
  },
  validate: orderlyPeriod,
  columns,
  totals: ['quantity', 'amount', 'cost', 'profit'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/commonView/odoStatReport',
      title: '出库统计报表',
      orgs: 'HDV',
      menu: '报表中心',
      tab: '出库明细',
      purpose: '统计数字背后的每一行出库与退回，退回列为负数',
      columns: [...shownFrom, 'cost', 'profit', 'handler_name'],
      filters: [],
    },
  ],
})

/**
 * 中心库出库明细: everything that left the central stores. Returns of wards are arrivals, and are shown with a minus only if
 * the reader chooses so.
 */
export const centerOutboundDetails = defineReport({
  kind: 'centerOutboundDetails',
  title: '中心库出库明细报表',
  beside: facts,
  sqlFile,
  parameters: { ...filters, less_returns: f.flag('扣减退库') },
  fixed: { side: 'every', store_model: 'central', is_high_value: null, is_chargeable: null },
  validate: orderlyPeriod,
  // All that leaves the central stores is more than what wards were granted.
  columns: { ...columns, amount: f.amount('金额(含税)') },
  totals: ['quantity', 'amount'],
  groupBy: ['receiver_name', 'document_kind'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/commonView/centerOutboundDetailsReport',
      title: '中心库出库明细报表',
      orgs: 'H',
      menu: '报表中心',
      purpose: '中心库发放、调拨、退供应商、赠送、报损与其他出库的逐行明细；选择扣减退库时科室退库列为负数',
      columns: [...shownFrom, 'receipt_state', 'handler_name'],
      keyColumns: [
        'day',
        'document_kind',
        'document_sn',
        'receiver_name',
        'product_name',
        'specification_name',
        'quantity',
        'amount',
      ],
      filters: [],
    },
  ],
})

/**
 * 科室销售明细: what the store issued to each department, less what came back, for costs by issue. Valued at cost and at
 * the charge price; what is not chargeable has none.
 */
export const departmentSales = defineReport({
  kind: 'departmentSales',
  title: '科室销售明细',
  beside: facts,
  sqlFile,
  parameters: {
    ...filters,
    is_high_value: f.flag('高值标识'),
    is_chargeable: f.flag('是否可收费'),
  },
  fixed: { side: 'granted', less_returns: true, store_model: null },
  validate: orderlyPeriod,
  columns: {
    ...columns,
    charge_price: f.price('收费价'),
    charge_amount: f.amount('收费金额'),
  },
  totals: ['quantity', 'amount', 'charge_amount'],
  groupBy: ['receiver_name', 'product_name', 'class_name'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/hospital/departmentSalesDetails',
      title: '科室销售明细',
      orgs: 'H',
      menu: '报表中心',
      purpose: '库房发放给各科室的逐行明细减去退库，按进价与收费价列示，按领用口径核算科室成本',
      columns: [
        'day',
        'document_kind',
        'document_sn',
        'warehouse_name',
        'receiver_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'manufacturer_name',
        'supplier_name',
        'lot_no',
        'expiry_date',
        'quantity',
        'price',
        'amount',
        'charge_price',
        'charge_amount',
        'handler_name',
      ],
      filters: [],
    },
  ],
})
