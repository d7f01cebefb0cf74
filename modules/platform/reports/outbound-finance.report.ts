import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import {
  financeClass,
  goods,
  invoiceStates,
  narrowing,
  ofFinanceClass,
  orderlyPeriod,
  period,
  unit,
} from '#modules/platform/reports/item-columns.ts'

const kinds = {
  saleOdo: '销售出库',
  saleReturn: '销售退货',
  settlementGrn: '寄售结算',
  giveOdo: '赠送出库',
  otherOdo: '其他出库',
  loss: '报损',
  scrap: '报废',
  transfer: '机构调拨',
  transferReturn: '调拨退回',
  departmentUse: '科室使用',
  surgeryUse: '手术使用',
  grantOdo: '发放出库',
  wardReceipt: '科室收货',
  grantReturn: '科室退库',
} as const

const ofSales = [
  'untaxed_amount',
  'tax_rate',
  'tax_amount',
  'taxed_amount',
  'profit',
  'margin',
  'billed',
  'unbilled',
  'invoice_state',
] as const

/** Filters for what left, whether shown line by line or as accounting entries. */
export const asked = {
  parameters: {
    ...period,
    document_kind: f.pick('出库类型', kinds),
    counterparty_sn: f.ref('客户', 'organisation', { optionsFilter: { relation: 'customer' } }),
    ...narrowing,
    invoice_state: f.pick('发票状态', invoiceStates),
    document_sn: f.text('单号'),
    department_inner_sn: f.ref('领用科室', 'department'),
    is_charged: f.flag('是否收费'),
    ...ofFinanceClass,
  },
  validate: orderlyPeriod,
} as const

/**
 * 出库财务报表: what left the warehouses in a period, sales at their price with invoice state, everything else at cost; a
 * hospital's goods by the department that used them, or that received them where goods are expensed at issue. The
 * cost is that of the posting and is never recalculated by later receipts.
 */
export const outboundFinance = defineReport({
  kind: 'outboundFinance',
  title: '出库财务报表',
  ...asked,
  beside: {
    line_no: f.count('行号'),
  },
  sqlFile: 'platform/reports/outbound-finance.sql',
  columns: {
    document_kind: f.pick('出库类型', kinds),
    document_sn: f.text('出库单号'),
    at: f.instant('出库日期'),
    month: f.text('月份'),
    receiver_name: f.text('客户/领用科室', { width: 220 }),
    warehouse_name: f.text('仓库'),
    ...financeClass,
    ...goods,
    lot_no: f.lot('批号'),
    ...unit,
    quantity: f.quantity('数量'),
    untaxed_amount: f.amount('未税金额'),
    tax_rate: f.taxRate('税率'),
    tax_amount: f.amount('税额'),
    taxed_amount: f.amount('价税合计'),
    cost: f.cost('成本金额'),
    profit: f.margin('毛利'),
    margin: f.marginRate('毛利率'),
    billed: f.amount('已开票金额'),
    unbilled: f.amount('未开票金额'),
    invoice_no: f.text('发票号'),
    invoice_state: f.pick('发票状态', invoiceStates),
  },
  groupBy: ['receiver_name', 'warehouse_name', 'finance_class', 'document_kind', 'tax_rate', 'month'],
  ratios: { margin: ['profit', 'untaxed_amount'] },
  totals: ['quantity', 'untaxed_amount', 'tax_amount', 'taxed_amount', 'cost', 'profit', 'billed', 'unbilled'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/commonView/outboundFinance',
      title: '出库财务报表',
      orgs: 'HDV',
      menu: '财务管理',
      tab: '出库明细',
      leads: true,
      purpose: '期间内的出库货物：销售按售价并列开票情况，使用与其余按成本',
      without: { H: ofSales },
      columns: [
        'document_kind',
        'document_sn',
        'at',
        'receiver_name',
        'warehouse_name',
        'finance_class',
        'product_code',
        'product_name',
        'specification_name',
        'lot_no',
        'unit_name',
        'quantity',
        'untaxed_amount',
        'tax_rate',
        'tax_amount',
        'taxed_amount',
        'cost',
        'profit',
        'margin',
        'billed',
        'unbilled',
        'invoice_state',
      ],
      filters: [],
    },
  ],
})
