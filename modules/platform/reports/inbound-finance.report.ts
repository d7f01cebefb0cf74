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
import { ownerships } from '#modules/platform/reports/stock-as-of.report.ts'

const kinds = {
  purchaseGrn: '采购入库',
  settlementGrn: '结算入库',
  purchaseReturn: '采购退货',
  otherGrn: '其他入库',
  overflow: '报溢',
  transferArrival: '机构调入',
} as const
const { warehouse_model_inner_sn, specification_sn, product, manufacturer } = narrowing

/** Filters for what came in, whether shown by line, summed, or as accounting entries. */
export const shared = {
  parameters: {
    ...period,
    counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    warehouse_model_inner_sn,
    document_kind: f.pick('单据类型', kinds),
    document_sn: f.text('单号'),
    specification_sn,
    product,
    manufacturer,
    invoice_state: f.pick('发票状态', invoiceStates),
    invoice_no: f.text('发票号'),
    with_others: f.flag('含非采购入库'),
    ownership: f.pick('货主类型', ownerships),
    ...ofFinanceClass,
  },
  validate: orderlyPeriod,
} as const
const amounts = {
  untaxed_amount: f.amount('未税金额'),
  tax_rate: f.taxRate('税率'),
  tax_amount: f.amount('税额'),
  taxed_amount: f.amount('价税合计'),
  billed: f.amount('已开票金额'),
  estimated: f.amount('暂估金额'),
} as const
const page = {
  route: '/commonView/inboundFinance',
  title: '入库财务报表',
  orgs: 'HDV',
  menu: '财务管理',
  filters: [],
} as const
const totals = ['untaxed_amount', 'tax_amount', 'taxed_amount', 'billed', 'estimated'] as const

/**
 * 入库财务报表 by line: priced receipts less returns, against the suppliers' invoices; what is not invoiced yet is the
 * estimated payable (暂估). Receipts of consigned goods are left out: their cost is recognised with their settlement.
 */
export const inboundFinance = defineReport({
  ...shared,
  kind: 'inboundFinance',
  title: '入库财务报表（明细）',
  sqlFile: 'platform/reports/inbound-finance.sql',
  columns: {
    counterparty_name: f.text('供应商', { width: 220 }),
    document_sn: f.text('入库单号'),
    document_kind: f.pick('单据类别', kinds),
    paper_name: f.text('单据类型'),
    at: f.instant('入库日期'),
    month: f.text('月份'),
    warehouse_name: f.text('仓库'),
    ...financeClass,
    ...goods,
    lot_no: f.lot('批号'),
    ...unit,
    quantity: f.quantity('数量'),
    untaxed_price: f.price('未税单价'),
    ...amounts,
    invoice_no: f.text('发票号'),
    invoice_state: f.pick('发票状态', invoiceStates),
    reviewed_by_name: f.text('审核人'),
  },
  totals: [...totals],
  groupBy: ['counterparty_name', 'warehouse_name', 'finance_class', 'tax_rate', 'paper_name', 'month'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      ...page,
      tab: '明细',
      purpose: '期间内的采购入库与退货明细及开票情况',
      columns: [
        'counterparty_name',
        'document_sn',
        'paper_name',
        'at',
        'warehouse_name',
        'finance_class',
        'product_code',
        'product_name',
        'specification_name',
        'lot_no',
        'unit_name',
        'quantity',
        'untaxed_price',
        'tax_rate',
        'untaxed_amount',
        'tax_amount',
        'taxed_amount',
        'billed',
        'estimated',
        'invoice_no',
        'invoice_state',
        'reviewed_by_name',
      ],
    },
  ],
})

/**
 * 入库财务报表 by supplier and tax rate: the lines of the other tab summed, never recalculated, so that both agree to the
 * cent.
 */
export const inboundFinanceSummary = defineReport({
  ...shared,
  kind: 'inboundFinanceSummary',
  title: '入库财务报表（汇总）',
  sqlFile: 'platform/reports/inbound-finance-summary.sql',
  columns: {
    counterparty_name: f.text('供应商', { width: 260 }),
    document_count: f.count('单据数'),
    quantity: f.quantity('数量'),
    ...amounts,
  },
  totals: [...totals],
  drillDown: {
    document_count: {
      to: 'inboundFinance',
      with: { counterparty_sn: 'counterparty_sn', begin_date: '=begin_date', end_date: '=end_date' },
    },
  },
  screens: [
    {
      ...page,
      tab: '汇总',
      purpose: '期间内的采购入库与退货，按供应商与税率汇总',
      columns: [
        'counterparty_name',
        'tax_rate',
        'document_count',
        'quantity',
        'untaxed_amount',
        'tax_amount',
        'taxed_amount',
        'billed',
        'estimated',
      ],
    },
  ],
})
