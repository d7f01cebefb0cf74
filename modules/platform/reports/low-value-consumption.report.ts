import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, narrowing, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'

const behind = {
  to: 'stockFlow',
  with: {
    specification_sn: 'specification_sn',
    warehouse_model_inner_sn: 'warehouse_sn',
    begin_date: 'first_day',
    end_date: 'last_day',
  },
} as const

/** 消耗统计: what departments used out of their low-value cabinets, month by month. Reversed uses are deducted. */
export const lowValueConsumption = defineReport({
  kind: 'lowValueConsumption',
  title: '低值耗材消耗统计',
  sqlFile: 'platform/reports/low-value-consumption.sql',
  parameters: { ...period, department_inner_sn: f.ref('科室', 'department'), ...narrowing },
  validate: orderlyPeriod,
  columns: {
    month: f.text('月份', { width: 90 }),
    department_name: f.text('科室'),
    cabinet_name: f.text('柜体', { width: 150 }),
    ...goods,
    ...unit,
    quantity: f.quantity('消耗数量'),
    daily_quantity: f.quantity('日均消耗'),
    cost: f.cost('消耗成本'),
    quantity_before: f.quantity('上月同期消耗'),
    change: f.rate('环比', { compares: 'previous' }),
  },
  groupBy: ['month', 'department_name', 'cabinet_name', 'product_name'],
  totals: ['quantity', 'cost'],
  drillDown: { quantity: behind },
  screens: [
    {
      route: '/commonView/consumableCabinetManagement/lowConsumables',
      title: '低值耗材柜管理',
      orgs: 'H',
      menu: '智能柜管理',
      tab: '消耗统计',
      purpose: '各科室每月从低值耗材柜领用的产品与数量，及较上月增减',
      columns: [
        'month',
        'department_name',
        'cabinet_name',
        'product_code',
        'product_name',
        'specification_name',
        'manufacturer_name',
        'unit_name',
        'quantity',
        'daily_quantity',
        'cost',
        'quantity_before',
        'change',
      ],
      filters: [],
    },
  ],
})
