import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import {
  invoiceColumns,
  invoiceSearch,
  lineColumns,
  lineGroups,
  openColumns,
  payStates,
} from '#modules/finance/invoicing/invoice-search.ts'

const handler = { handler_inner_sn: f.ref('业务员', 'employee') } as const
const search = invoiceSearch(
  {
    partner: '客户',
    relation: 'customer',
    noun: '出库',
    verb: '已收',
    pay: payStates.received,
    kinds: { saleOdo: '销售出库单', boneSale: '骨科销售单', settlementGrn: '结算入库单', saleReturn: '销售退货单' },
  },
  { parameters: handler, columns: { handler_name: f.text('业务员') } },
)
const page = {
  route: '/commonView/odoInvoiceSearch',
  title: '出库发票查询',
  orgs: 'DV',
  menu: '发票管理',
  filters: [],
} as const

/** Adds the salesperson after the date. */
const withHandler = (columns: readonly (typeof lineColumns)[number][]) =>
  columns.flatMap(name => (name === 'business_date' ? ([name, 'handler_name'] as const) : [name]))

/** 出库发票查询, by invoice: which deliveries and settlements each of our invoices covers. */
export const odoInvoices = defineReport({
  kind: 'odoInvoices',
  wholeOnly: 'an invoice covers goods of several stores and names none',
  title: '出库发票查询（按发票）',
  sqlFile: 'finance/invoicing/odo-invoices.sql',
  ...search.byInvoice,
  screens: [{ ...page, tab: '按发票', purpose: '各销项发票对应的出库与结算明细', columns: [...invoiceColumns] }],
})

/** 出库发票查询, by delivery: the invoice of a delivery, and goods delivered and not invoiced. */
export const odoInvoiceSearch = defineReport({
  kind: 'odoInvoiceSearch',
  title: '出库发票查询',
  sqlFile: 'finance/invoicing/odo-invoice-search.sql',
  ...search.byLine,
  groupBy: [...lineGroups, 'handler_name'],
  createsDocument: {
    kind: 'outboundInvoice',
    label: '申请开票',
    remainingColumn: 'uninvoiced_quantity',
    mixedPartnersMessage: '请选择同一客户的出库明细',
  },
  screens: [
    {
      ...page,
      tab: '按出库明细',
      purpose: '各出库与结算明细的开票情况：发票与已开票数量',
      columns: withHandler(lineColumns),
    },
    {
      ...page,
      tab: '未开票',
      purpose: '已出库或已结算尚未开票的明细',
      columns: withHandler(openColumns),
      where: { invoice_state: 'open' },
    },
  ],
})
