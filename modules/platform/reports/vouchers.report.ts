import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { shared } from '#modules/platform/reports/inbound-finance.report.ts'
import { asked } from '#modules/platform/reports/outbound-finance.report.ts'

/** Entries in the format of accounting systems: debits equal credits. */
const columns = {
  day: f.day('凭证日期'),
  summary: f.text('摘要', { width: 260 }),
  account_name: f.text('会计科目', { width: 200 }),
  subject: f.text('核算项目', { width: 220 }),
  debit: f.cost('借方金额'),
  credit: f.cost('贷方金额'),
} as const
const shownColumns = ['day', 'summary', 'account_name', 'subject', 'debit', 'credit'] as const
const page = { orgs: 'HDV', menu: '财务管理', tab: '凭证数据', columns: shownColumns, filters: [] } as const

/**
 * 凭证数据 of what came in: goods and input tax against the estimated payable to the supplier. A hospital deducts no
 * tax: it is part of the cost.
 */
export const inboundVoucher = defineReport({
  ...shared,
  kind: 'inboundVoucher',
  title: '入库凭证数据',
  sqlFile: 'platform/reports/inbound-voucher.sql',
  columns,
  totals: ['debit', 'credit'],
  screens: [
    {
      ...page,
      route: '/commonView/inboundFinance',
      title: '入库财务报表',
      purpose: '采购入库与退货的会计分录，按供应商与财务分类，导出后录入财务系统',
    },
  ],
})

/** 凭证数据 of what left: sales with their cost, and at cost what was used, given away, lost or destroyed. */
export const outboundVoucher = defineReport({
  ...asked,
  kind: 'outboundVoucher',
  title: '出库凭证数据',
  sqlFile: 'platform/reports/outbound-voucher.sql',
  columns,
  totals: ['debit', 'credit'],
  screens: [
    {
      ...page,
      route: '/commonView/outboundFinance',
      title: '出库财务报表',
      purpose: '出库的会计分录：销售与成本、领用、赠送与损耗，导出后录入财务系统',
    },
  ],
})
