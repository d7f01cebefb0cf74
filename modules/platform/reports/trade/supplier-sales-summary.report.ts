import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { goodsDimensions } from '#modules/platform/reports/trade/goods-filters.ts'
import { supplierSales } from '#modules/platform/reports/trade/supplier-sales.report.ts'
import { pieces } from '#modules/platform/reports/use/use-measures.ts'

/** 医院销售汇总 of a hospital: total = purchased + settled − returned, by supplier, class or product. In yuan. */
export const supplierSalesSummary = defineAnalysis({
  kind: 'supplierSalesSummary',
  title: '医院销售汇总',
  of: supplierSales,
  day: 'bought_on',
  dimensions: {
    counterparty_name: { key: ['counterparty_sn', 'counterparty_sn'] },
    ...goodsDimensions,
    warehouse_name: { key: ['warehouse_model_inner_sn', 'warehouse_sn'] },
    regime: { key: ['regime', 'regime'] },
  },
  standard: ['counterparty_name'],
  columns: {
    purchased_quantity: f.quantity('采购数量'),
    purchased_amount: f.amount('采购金额'),
    settled_quantity: f.quantity('结算数量'),
    settled_amount: f.amount('结算金额'),
    returned_quantity: f.quantity('退货数量'),
    returned_amount: f.amount('退货金额'),
    quantity: f.quantity('合计数量'),
    amount: f.amount('合计金额(含税)', shows(measures.purchased)),
    tax_amount: f.amount('税额', shows(measures.purchaseTax)),
    share: f.rate('占比'),
    change: f.rate('环比'),
  },
  measures: {
    purchased_quantity: pieces('purchased_quantity'),
    purchased_amount: { sum: 'purchased_amount' },
    settled_quantity: pieces('settled_quantity'),
    settled_amount: { sum: 'settled_amount' },
    returned_quantity: pieces('returned_quantity'),
    returned_amount: { sum: 'returned_amount' },
    quantity: pieces('quantity'),
    amount: { sum: 'amount' },
    tax_amount: { sum: 'tax_amount' },
    share: { share: 'amount' },
    change: { change: 'amount', against: 'previous' },
  },
  main: 'amount',
  screens: [
    {
      route: '/hospital/hospitalSalesDetailsSummary',
      title: '医院销售汇总',
      orgs: 'H',
      menu: '报表中心',
      purpose: '按供应商、分类、产品、仓库汇总采购与结算减去退货的金额，含占比与环比',
    },
  ],
})
