import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import {
  goods,
  lot,
  narrowing,
  ofFinanceClass,
  orderlyPeriod,
  period,
  unit,
} from '#modules/platform/reports/item-columns.ts'
import { pieces } from '#modules/platform/reports/use/use-measures.ts'

const page = { orgs: 'V', menu: '报表中心', tab: '流向' } as const

/**
 * 流向: what hospitals received of a maker's goods through dealers, by lot and day, from the trace ledger; what went back
 * has a minus. No prices, no patients. In base units.
 */
export const goodsFlow = defineReport({
  kind: 'goodsFlow',
  title: '产品流向',
  beside: {
    dealer_sn: f.text('经销商'),
    counterparty_sn: f.text('往来单位'),
    specification_sn: f.text('规格', { carried: true }),
  },
  sqlFile: 'platform/reports/trade/goods-flow.sql',
  wholeOnly: 'goods that dealers sent to hospitals are in no store of the maker',
  parameters: {
    ...period,
    dealer_sn: f.ref('经销商', 'organisation', { optionsFilter: { relation: 'customer' } }),
    counterparty_sn: f.ref('医院', 'organisation'),
    specification_sn: narrowing.specification_sn,
    product: narrowing.product,
    custom_type_sn: f.ref('产品分类', 'customType', ofFinanceClass.finance_class_sn),
    lot_no: f.lot('批号'),
  },
  validate: orderlyPeriod,
  columns: {
    day: f.day('日期'),
    dealer_name: f.text('经销商', { width: 200 }),
    hospital_name: f.text('医院', { width: 200 }),
    division_name: f.text('省市', { width: 160 }),
    product_code: goods.product_code,
    product_name: goods.product_name,
    specification_name: goods.specification_name,
    ...unit,
    class_name: f.text('产品分类'),
    lot_no: lot.lot_no,
    quantity: f.quantity('数量'),
  },
  totals: ['quantity'],
  groupBy: ['dealer_name', 'hospital_name', 'product_name', 'specification_name', 'lot_no'],
  screens: [
    {
      ...page,
      route: '/commonView/hospitalSalesDetails',
      title: '医院销售明细',
      purpose: '本厂产品经经销商到达医院的批号、数量与日期，退回以负数列出，不含价格与患者',
      columns: [
        'day',
        'dealer_name',
        'hospital_name',
        'division_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'lot_no',
        'quantity',
      ],
      keyColumns: ['day', 'dealer_name', 'hospital_name', 'product_name', 'specification_name', 'lot_no', 'quantity'],
      filters: [],
    },
  ],
})

/** 流向 in sums: pieces of one specification, and how many deliveries they came in. */
export const goodsFlowSummary = defineAnalysis({
  kind: 'goodsFlowSummary',
  title: '产品流向汇总',
  of: goodsFlow,
  day: 'day',
  periodLabel: '月份',
  grains: ['month', 'quarter', 'year'],
  dimensions: {
    dealer_name: { key: ['dealer_sn', 'dealer_sn'] },
    hospital_name: { key: ['counterparty_sn', 'counterparty_sn'] },
    division_name: {},
    product_name: {
      beside: ['product_code', 'specification_name', 'unit_name'],
      key: ['specification_sn', 'specification_sn'],
    },
    class_name: {},
  },
  standard: ['hospital_name', 'product_name'],
  columns: {
    dealer_count: f.count('经销商数'),
    hospital_count: f.count('医院数'),
    product_count: f.count('品种数'),
    lot_count: f.count('批号数'),
    quantity: f.quantity('数量'),
  },
  measures: {
    dealer_count: { count: 'dealer_sn' },
    hospital_count: { count: 'counterparty_sn' },
    product_count: { count: 'specification_sn' },
    lot_count: { count: 'lot_no' },
    quantity: pieces('quantity'),
  },
  main: 'quantity',
  screens: [
    {
      ...page,
      route: '/commonView/hospitalSalesDetailsSummary',
      title: '医院销售汇总',
      purpose: '本厂产品流向按经销商、医院、地区或产品汇总，只有数量',
    },
  ],
})
