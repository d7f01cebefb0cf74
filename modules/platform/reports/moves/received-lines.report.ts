import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, lot, narrowing, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'
import { goodsDimensions, ofGoods } from '#modules/platform/reports/trade/goods-filters.ts'
import { valueClasses } from '#modules/platform/reports/use/use-filters.ts'
import { comparisonColumns, comparisonOf, pieces } from '#modules/platform/reports/use/use-measures.ts'

const kinds = {
  purchaseGrn: '采购入库',
  settlementGrn: '结算入库',
  saleReturn: '销售退货入库',
  otherGrn: '其他入库',
  openingStock: '期初库存',
  transferReceipt: '调拨入库',
  transferArrival: '机构调入',
  overflow: '报溢',
  wardReceipt: '科室收货',
  purchaseReturn: '采购退货',
} as const
const { purchaseReturn: _return, ...arrivals } = kinds
const page = {
  route: '/commonView/grnStatReport',
  title: '入库统计报表',
  orgs: 'HDV',
  menu: '报表中心',
} as const

/**
 * 入库明细: what came in, less returns to suppliers. Unless a type is chosen, receipts from outside alone: purchases and
 * settlements; transfers, ward receipts and openings would count goods twice, and consigned arrivals are counted again
 * when they are settled. In base units and yuan.
 */
export const receivedLines = defineReport({
  kind: 'receivedLines',
  title: '入库明细',
  beside: {
    grn_type: f.text('入库类型'),
    first_id: f.text('原单'),
    warehouse_sn: f.text('仓库'),
    counterparty_sn: f.text('往来单位'),
    partner_division: f.text('地区'),
    specification_sn: f.text('规格'),
    class_sn: f.text('产品分类'),
    received_quantity: f.quantity('入库数量'),
    received_amount: f.amount('入库金额'),
    reversed_amount: f.amount('红冲金额'),
    returned_amount: f.amount('退回金额'),
  },
  sqlFile: 'platform/reports/moves/received-lines.sql',
  parameters: {
    ...period,
    grn_type: f.pick('入库类型', { ...arrivals, consigned: '采购入库(寄售)' }),
    warehouse_model_inner_sn: narrowing.warehouse_model_inner_sn,
    counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    ...ofGoods,
    value_class: f.pick('高值/低值/试剂', valueClasses),
    regime: f.pick('货权方式', regimes),
    document_sn: f.text('单据号'),
  },
  validate: orderlyPeriod,
  columns: {
    day: f.day('审核日期'),
    document_kind: f.pick('入库类型', kinds),
    document_sn: f.text('单据号', { width: 130 }),
    warehouse_name: f.text('仓库'),
    counterparty_name: f.text('供应商', { width: 200 }),
    ...goods,
    ...unit,
    class_name: f.text('产品分类'),
    regime: f.pick('货权方式', regimes),
    ...lot,
    quantity: f.quantity('数量', { hint: '与金额同一范围的件数，按基本单位' }),
    price: f.price('单价(含税)'),
    amount: f.amount('金额(含税)', shows(measures.purchased)),
    untaxed_amount: f.amount('不含税金额', shows(measures.purchasedUntaxed)),
    tax_rate: f.taxRate('税率'),
    tax_amount: f.amount('税额', shows(measures.purchaseTax)),
    handler_name: f.text('经办人'),
  },
  totals: ['quantity', 'amount', 'untaxed_amount', 'tax_amount'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      ...page,
      tab: '入库明细',
      purpose: '统计数字背后的每一行入库与退货，红冲与退货列为负数',
      columns: [
        'day',
        'document_kind',
        'document_sn',
        'warehouse_name',
        'counterparty_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'manufacturer_name',
        'regime',
        'lot_no',
        'expiry_date',
        'quantity',
        'price',
        'amount',
        'untaxed_amount',
        'tax_rate',
        'tax_amount',
        'handler_name',
      ],
      filters: [],
    },
  ],
})

/**
 * 入库统计: net = received − reversed − returned, by freely chosen dimensions. A document that was wholly reversed in the
 * period is not counted. In yuan.
 */
export const receivedStat = defineAnalysis({
  kind: 'receivedStat',
  title: '入库统计报表',
  of: receivedLines,
  day: 'day',
  dimensions: {
    document_kind: {},
    warehouse_name: { key: ['warehouse_model_inner_sn', 'warehouse_sn'] },
    counterparty_name: { key: ['counterparty_sn', 'counterparty_sn'] },
    ...goodsDimensions,
    regime: { key: ['regime', 'regime'] },
    handler_name: {},
  },
  standard: ['period', 'counterparty_name'],
  columns: {
    document_count: f.count('入库单数'),
    product_count: f.count('品种数'),
    received_quantity: f.quantity('入库数量'),
    received_amount: f.amount('入库金额(含税)'),
    untaxed_amount: f.amount('净入库不含税', shows(measures.purchasedUntaxed)),
    tax_amount: f.amount('净入库税额', shows(measures.purchaseTax)),
    reversed_amount: f.amount('红冲金额'),
    returned_amount: f.amount('退货金额'),
    amount: f.amount('净入库金额(含税)', shows(measures.purchased)),
    ...comparisonColumns,
  },
  measures: {
    document_count: { count: 'first_id', positive: 'quantity' },
    product_count: { count: 'specification_sn' },
    received_quantity: pieces('received_quantity'),
    received_amount: { sum: 'received_amount' },
    untaxed_amount: { sum: 'untaxed_amount' },
    tax_amount: { sum: 'tax_amount' },
    reversed_amount: { sum: 'reversed_amount' },
    returned_amount: { sum: 'returned_amount' },
    amount: { sum: 'amount' },
    ...comparisonOf('amount'),
  },
  main: 'amount',
  screens: [
    {
      ...page,
      tab: '入库统计',
      leads: true,
      purpose: '按期间、供应商、仓库、分类、产品统计入库、红冲与退货，含占比、排名、同比与环比',
    },
  ],
})
