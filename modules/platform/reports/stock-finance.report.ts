import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { MONTH } from '#kernel/values/date.ts'
import { financeClass, goods, narrowing, ofFinanceClass, unit } from '#modules/platform/reports/item-columns.ts'
import { ownerships } from '#modules/platform/reports/stock-as-of.report.ts'

const behind = {
  to: 'stockFlow',
  with: {
    specification_sn: 'specification_sn',
    warehouse_model_inner_sn: 'warehouse_sn',
    begin_date: 'first_day',
    end_date: 'last_day',
  },
} as const

/**
 * 库存财务报表: the month-end account of the warehouses. Closing = opening + in - out + adjustment, in pieces and in
 * money; with what is on the way at the end it is equal to the ledger. Consigned goods are in pieces only.
 */
export const stockFinance = defineReport({
  kind: 'stockFinance',
  title: '库存财务报表',
  sqlFile: 'platform/reports/stock-finance.sql',
  parameters: {
    period: f.text('会计期间', {
      required: true,
      default: 'month',
      match: MONTH,
      matchMsg: '会计期间应为年-月，如 2026-11',
      hint: '如 2026-11',
    }),
    ...narrowing,
    ownership: f.pick('货主类型', ownerships),
    ...ofFinanceClass,
    supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
  },
  columns: {
    period: f.text('会计期间'),
    warehouse_name: f.text('仓库'),
    ...financeClass,
    ...goods,
    ...unit,
    opening_quantity: f.quantity('期初数量'),
    opening_value: f.cost('期初金额'),
    in_quantity: f.quantity('本期入库数量'),
    in_value: f.cost('本期入库金额'),
    out_quantity: f.quantity('本期出库数量'),
    out_value: f.cost('本期出库金额'),
    adjustment: f.cost('调整金额'),
    closing_quantity: f.quantity('期末数量'),
    closing_value: f.cost('期末金额', shows(measures.stock)),
    consigned_quantity: f.quantity('其中寄售数量'),
    transit_quantity: f.quantity('期末在途数量'),
    transit_value: f.cost('期末在途金额'),
    average_cost: f.unitCost('平均成本'),
    ownership: f.pick('货主类型', ownerships),
    supplier_name: f.text('供应商', { width: 200 }),
  },
  groupBy: [
    'warehouse_name',
    'finance_class',
    'product_name',
    'manufacturer_name',
    'ownership',
    'supplier_name',
    'period',
  ],
  groupOnlyColumns: ['ownership', 'supplier_name'],
  totals: ['opening_value', 'in_value', 'out_value', 'adjustment', 'closing_value', 'transit_value'],
  drillDown: { in_quantity: behind, out_quantity: behind },
  screens: [
    {
      route: '/commonView/stockFinance',
      title: '库存财务报表',
      orgs: 'HDV',
      menu: '财务管理',
      tab: '库存金额',
      purpose:
        '一个会计期间的期初、收入、发出、期末；全部货主计数量，金额只计自有，在途另列，与收发存和进销存的期初期末相同',
      columns: [
        'period',
        'warehouse_name',
        'finance_class',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'opening_quantity',
        'opening_value',
        'in_quantity',
        'in_value',
        'out_quantity',
        'out_value',
        'adjustment',
        'closing_quantity',
        'closing_value',
        'consigned_quantity',
        'average_cost',
        'transit_quantity',
        'transit_value',
      ],
      filters: [],
    },
  ],
})
