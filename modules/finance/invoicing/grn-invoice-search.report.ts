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

const search = invoiceSearch({
  partner: '供应商',
  relation: 'supplier',
  noun: '入库',
  verb: '已付',
  pay: payStates.paid,
  kinds: { purchaseGrn: '采购入库单', settlementGrn: '结算入库单', purchaseReturn: '采购退货单' },
})
const page = {
  route: '/commonView/grnInvoiceSearch',
  title: '入库发票查询',
  orgs: 'HDV',
  menu: '发票管理',
  filters: [],
} as const

/** 入库发票查询, by invoice: which receipts each supplier's invoice covers. */
export const grnInvoices = defineReport({
  kind: 'grnInvoices',
  wholeOnly: 'an invoice covers goods of several stores and names none',
  title: '入库发票查询（按发票）',
  beside: {
    handler_name: f.text('经办人'),
  },
  sqlFile: 'finance/invoicing/grn-invoices.sql',
  ...search.byInvoice,
  screens: [{ ...page, tab: '按发票', purpose: '各进项发票对应的入库明细', columns: [...invoiceColumns] }],
})

/** 入库发票查询, by receipt: the invoice that covers each line, and goods received and not invoiced yet (暂估). */
export const grnInvoiceSearch = defineReport({
  kind: 'grnInvoiceSearch',
  title: '入库发票查询',
  beside: {
    handler_name: f.text('经办人'),
  },
  sqlFile: 'finance/invoicing/grn-invoice-search.sql',
  ...search.byLine,
  groupBy: [...lineGroups],
  createsDocument: {
    kind: 'inboundInvoice',
    label: '登记发票',
    remainingColumn: 'uninvoiced_quantity',
    mixedPartnersMessage: '请选择同一供应商的入库明细',
  },
  screens: [
    { ...page, tab: '按入库明细', purpose: '各入库明细的开票情况：发票与已开票数量', columns: [...lineColumns] },
    {
      ...page,
      tab: '未开票',
      purpose: '已入库尚未开票的明细，即暂估应付',
      columns: [...openColumns],
      where: { invoice_state: 'open' },
    },
  ],
})
