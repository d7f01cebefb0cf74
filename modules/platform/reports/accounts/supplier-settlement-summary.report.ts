import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { orderlyPeriod, period } from '#modules/platform/reports/item-columns.ts'

const amounts = [
  'used_amount',
  'untaxed_amount',
  'tax_amount',
  'settled_amount',
  'returned_amount',
  'confirmed_amount',
  'invoiced_amount',
  'uninvoiced_amount',
  'received_amount',
  'paid_amount',
  'unpaid_amount',
  'service_fee',
] as const
const behind = {
  to: 'settlement',
  with: { counterparty_name: 'counterparty_name', settlement_type: 'settlement_type' },
} as const

/**
 * 供应商结算汇总: settlements in force by their day, a row for each partner and type: the hospital by supplier, suppliers
 * by hospital and of their own settlements alone. uninvoiced = settled - invoiced, unpaid = invoiced - paid, as
 * the summary of settlements has them; the shares
 * add up to 1. Used is what was used of the supplier's goods by the day of use, settled or not. In yuan, tax included
 * unless the name says otherwise.
 */
export const supplierSettlementSummary = defineReport({
  kind: 'supplierSettlementSummary',
  title: '供应商结算汇总',
  beside: {
    counterparty_sn: f.text('往来单位'),
  },
  sqlFile: 'platform/reports/accounts/supplier-settlement-summary.sql',
  wholeOnly: 'a settlement is made with a supplier over all stores, and names neither department nor patient here',
  parameters: {
    ...period,
    counterparty_sn: f.ref('供应商/医院', 'organisation'),
    settlement_type: f.pick('结算类型', {
      high_value: '高值',
      low_value: '低值寄售',
      reagent: '试剂',
      surgery: '跟台',
    }),
    gap: f.pick('只看', { uninvoiced: '未开完票', unpaid: '未付清' }),
  },
  validate: orderlyPeriod,
  columns: {
    counterparty_name: f.text('供应商/医院'),
    settlement_type: f.pick('结算类型', {
      high_value: '高值',
      low_value: '低值寄售',
      reagent: '试剂',
      surgery: '跟台',
    }),
    settlement_count: f.count('结算单数'),
    used_amount: f.amount('使用金额', { hint: '该供应商寄售与跟台货物的使用减撤回，按使用日期，不论是否已结算' }),
    settled_quantity: f.quantity('结算数量'),
    untaxed_amount: f.amount('结算金额（不含税）'),
    tax_amount: f.amount('税额'),
    settled_amount: f.amount('结算金额', shows(measures.settled)),
    returned_amount: f.amount('退回金额'),
    confirmed_amount: f.amount('已确认金额'),
    invoiced_amount: f.amount('已开票金额'),
    uninvoiced_amount: f.amount('未开票金额', { hint: '已审核结算单中尚未收到发票的金额，含税' }),
    received_amount: f.amount('结算入库金额'),
    paid_amount: f.amount('已付金额'),
    unpaid_amount: f.amount('未付金额'),
    service_fee: f.amount('服务费金额'),
    settled_share: f.rate('结算占比'),
  },
  totals: [...amounts],
  groupBy: ['counterparty_name', 'settlement_type'],
  drillDown: { settled_amount: behind, confirmed_amount: behind },
  screens: [
    {
      route: '/commonView/supplierSettlementSummary',
      title: '供应商结算汇总',
      orgs: 'HDV',
      menu: '结算管理',
      purpose: '按供应商（医院）汇总期间内结算的确认、开票、入库和付款进度及各步差额',
      columns: [
        'counterparty_name',
        'settlement_type',
        'settlement_count',
        'settled_quantity',
        ...amounts,
        'settled_share',
      ],
      filters: [],
    },
  ],
})
