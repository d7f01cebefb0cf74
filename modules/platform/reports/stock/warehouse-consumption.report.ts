import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { MONTH } from '#kernel/values/date.ts'
import { goods, narrowing, unit } from '#modules/platform/reports/item-columns.ts'
import { ownerships } from '#modules/platform/reports/stock-as-of.report.ts'
import { ofGoods } from '#modules/platform/reports/trade/goods-filters.ts'
import { warehouseModels } from '#modules/base/vocabulary/warehouse-models.ts'

/** A calendar month of books, as a parameter. */
export const bookMonth = f.text('月份', {
  required: true,
  default: 'month',
  match: MONTH,
  matchMsg: '月份应为年-月，如 2026-11',
  hint: '如 2026-11',
})

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
 * 仓库消耗月报: closing = opening + in − consumed − returned ± found or lost, by store and product. A ward consumes what is
 * used, the central store what it grants less returns: the whole hospital's consumption is that of its wards alone.
 * Turnover = mean stock / daily consumption, in days; amounts at purchase price, tax included.
 */
export const warehouseConsumption = defineReport({
  kind: 'warehouseConsumption',
  title: '仓库消耗月报',
  sqlFile: 'platform/reports/stock/warehouse-consumption.sql',
  parameters: {
    period: bookMonth,
    warehouse_model_inner_sn: narrowing.warehouse_model_inner_sn,
    store_model: f.pick('仓库类型', warehouseModels),
    ...ofGoods,
    supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    ownership: f.pick('货权方式', ownerships),
    with_consumption: f.flag('仅显示有消耗'),
  },
  columns: {
    period: f.text('月份', { width: 80 }),
    warehouse_name: f.text('仓库'),
    product_code: goods.product_code,
    product_name: goods.product_name,
    specification_name: goods.specification_name,
    ...unit,
    class_name: f.text('产品分类'),
    ownership: f.pick('货权方式', ownerships),
    opening_quantity: f.quantity('期初数量'),
    received_quantity: f.quantity('收入数量'),
    consumed_quantity: f.quantity('消耗数量'),
    returned_quantity: f.quantity('退回数量'),
    found_quantity: f.quantity('盘盈亏数量'),
    closing_quantity: f.quantity('期末数量'),
    consumed_amount: f.cost('消耗金额(进价)'),
    closing_amount: f.cost('期末金额'),
    consumed_before: f.quantity('上月消耗', { hint: '本月未过完的，为上月同期的消耗' }),
    change: f.rate('环比', { compares: 'previous' }),
    consumed_daily: f.quantity('日均消耗'),
    turnover_days: f.quantity('库存周转天数'),
  },
  totals: ['consumed_amount', 'closing_amount'],
  groupBy: ['warehouse_name', 'class_name', 'product_name', 'ownership'],
  drillDown: { consumed_quantity: behind, closing_quantity: behind },
  screens: [
    {
      route: '/hospital/warehouseConsumptionMonthReport',
      title: '仓库消耗月报',
      orgs: 'H',
      menu: '报表中心',
      purpose: '各仓库每月的期初、收入、消耗、退回、盘盈亏与期末，含环比、日均消耗与库存周转天数',
      columns: [
        'warehouse_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'ownership',
        'opening_quantity',
        'received_quantity',
        'consumed_quantity',
        'returned_quantity',
        'found_quantity',
        'closing_quantity',
        'consumed_amount',
        'closing_amount',
        'consumed_before',
        'change',
        'consumed_daily',
        'turnover_days',
      ],
      filters: [],
    },
  ],
})
