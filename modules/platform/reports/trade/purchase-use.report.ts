import { regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'
import { ofGoods } from '#modules/platform/reports/trade/goods-filters.ts'

const differences = { unsettled: '已用未结', oversettled: '结算超使用', idle: '久存未用' } as const

const figures = {
  product_code: goods.product_code,
  product_name: goods.product_name,
  specification_name: goods.specification_name,
  ...unit,
  class_name: f.text('产品分类'),
  regime: f.pick('货权方式', regimes),
  opening_quantity: f.quantity('期初库存'),
  bought_quantity: f.quantity('采购数量'),
  returned_quantity: f.quantity('退货数量'),
  used_quantity: f.quantity('使用数量'),
  settled_quantity: f.quantity('结算数量'),
  found_quantity: f.quantity('损溢数量'),
  closing_quantity: f.quantity('期末库存'),
  gap_quantity: f.quantity('账面差异'),
  bought_amount: f.cost('到货金额', { hint: '采购入库的成本，寄售货物按最近到货价；退货另列' }),
  used_amount: f.cost('使用金额'),
  settled_amount: f.amount('结算金额'),
  consumption_rate: f.rate('消耗率'),
  difference: f.pick('差异类型', differences, { tones: { oversettled: 'danger', unsettled: 'warning' } }),
} as const
const chosen = {
  ...ofGoods,
  regime: f.pick('货权方式', regimes),
  is_high_value: f.flag('高值标识'),
  difference: f.pick('差异类型', differences),
  only_differences: f.flag('仅显示差异'),
} as const
const columns = [
  'product_code',
  'product_name',
  'specification_name',
  'unit_name',
  'regime',
  'opening_quantity',
  'bought_quantity',
  'returned_quantity',
  'used_quantity',
  'settled_quantity',
  'found_quantity',
  'closing_quantity',
  'gap_quantity',
  'bought_amount',
  'used_amount',
  'settled_amount',
  'consumption_rate',
  'difference',
] as const
const keyColumns = [
  'product_name',
  'specification_name',
  'bought_quantity',
  'used_quantity',
  'closing_quantity',
  'gap_quantity',
  'difference',
] as const
const page = { route: '/commonView/purchaseUseSummaryReport', title: '采购使用汇总报表', menu: '报表中心' } as const

/**
 * 采购使用汇总: what was bought, returned, used, settled and left of each supplier's goods. 账面差异 is zero unless goods came
 * or left in other ways, as gifts and openings do. A settlement is no purchase: its goods were counted when they
 * arrived. 消耗率 = used / (opening + bought − returned). In base units and yuan, tax included.
 */
export const purchaseUse = defineReport({
  kind: 'purchaseUse',
  wholeOnly: 'what was settled with a supplier is over all stores',
  title: '采购使用汇总报表',
  sqlFile: 'platform/reports/trade/purchase-use.sql',
  parameters: {
    ...period,
    supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    ...chosen,
  },
  validate: orderlyPeriod,
  columns: { supplier_name: f.text('供应商', { width: 200 }), ...figures },
  totals: ['bought_amount', 'used_amount', 'settled_amount'],
  groupBy: ['supplier_name', 'class_name', 'product_name', 'regime'],
  drillDown: {
    used_quantity: {
      to: 'usageDetails',
      with: {
        specification_sn: 'specification_sn',
        supplier_sn: 'supplier_sn',
        regime: 'regime',
        begin_date: '=begin_date',
        end_date: '=end_date',
      },
    },
  },
  screens: [
    {
      ...page,
      orgs: 'H',
      tab: '按供应商',
      purpose: '按供应商与产品并列期初、采购、退货、使用、结算、损溢与期末，找出多采、漏记使用与久存未用的寄售货物',
      columns: ['supplier_name', ...columns],
      keyColumns: ['supplier_name', ...keyColumns],
      filters: [],
    },
  ],
})

/**
 * The same for a dealer: the goods that each hospital bought of him and used. The stock at a hospital is known for
 * consigned goods alone; only hospitals with a live relation are shown, and no departments.
 */
export const customerUse = defineReport({
  kind: 'customerUse',
  wholeOnly: 'what was settled with a customer is over all stores',
  title: '采购使用汇总报表',
  sqlFile: 'platform/reports/trade/customer-use.sql',
  leanSums: true,
  parameters: {
    ...period,
    counterparty_sn: f.ref('医院', 'organisation', { optionsFilter: { relation: 'customer' } }),
    ...chosen,
  },
  validate: orderlyPeriod,
  columns: { hospital_name: f.text('医院', { width: 200 }), ...figures },
  totals: ['bought_amount', 'used_amount', 'settled_amount'],
  groupBy: ['hospital_name', 'class_name', 'product_name', 'regime'],
  drillDown: {
    used_quantity: {
      to: 'usageDetails',
      with: {
        specification_sn: 'specification_sn',
        counterparty_sn: 'counterparty_sn',
        regime: 'regime',
        begin_date: '=begin_date',
        end_date: '=end_date',
      },
    },
  },
  screens: [
    {
      ...page,
      orgs: 'D',
      tab: '按医院',
      purpose: '按医院与产品并列期初、供货、退货、使用、结算、损溢与期末，找出久存未用与已用未结的寄售货物',
      columns: ['hospital_name', ...columns],
      keyColumns: ['hospital_name', ...keyColumns],
      filters: [],
    },
  ],
})
