import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, ofReader, unit } from '#modules/platform/reports/item-columns.ts'

const page = {
  hidden: true,
  columns: [
    'document_sn',
    'counterparty_name',
    'warehouse_name',
    'product_code',
    'product_name',
    'specification_name',
    'unit_name',
    'ordered_on',
    'expected_date',
    'days_late',
    'quantity',
    'taken_quantity',
    'open_quantity',
  ],
  keyColumns: ['document_sn', 'counterparty_name', 'product_name', 'expected_date', 'days_late', 'open_quantity'],
  filters: [],
} as const

/**
 * 超期订单行: lines of reviewed orders that were due before today and are not wholly received, or shipped to the
 * customer; in base units. The process charts of buying and selling count its rows.
 */
export const overdueLines = defineReport({
  kind: 'overdueOrderLines',
  title: '超期订单行',
  sqlFile: 'platform/reports/orders/overdue-order-lines.sql',
  parameters: {
    side: f.pick('方向', { buy: '采购', sell: '销售' }, { default: 'buy' }),
    counterparty_sn: f.ref('往来单位', 'organisation'),
    ...ofReader,
  },
  columns: {
    document_sn: f.text('订单号', { width: 130 }),
    counterparty_name: f.text('往来单位', { width: 180 }),
    warehouse_name: f.text('仓库'),
    ...goods,
    ...unit,
    ordered_on: f.day('订单日期'),
    expected_date: f.day('要求到货日期'),
    days_late: f.count('超期天数'),
    quantity: f.quantity('订购数量'),
    taken_quantity: f.quantity('已到/已发数量'),
    open_quantity: f.quantity('未到/未发数量'),
    lines: f.count('行数'),
  },
  totals: ['open_quantity', 'lines'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      ...page,
      route: '/commonView/overduePurchaseLines',
      title: '超期未到订单行',
      orgs: 'HDV',
      menu: '采购管理',
      where: { side: 'buy' },
      purpose: '要求到货日期早于今天、尚未到齐的采购订单行',
    },
    {
      ...page,
      route: '/commonView/overdueSaleLines',
      title: '超期未发订单行',
      orgs: 'DV',
      menu: '销售管理',
      where: { side: 'sell' },
      purpose: '要求到货日期早于今天、尚未发齐的销售订单行',
    },
  ],
})
