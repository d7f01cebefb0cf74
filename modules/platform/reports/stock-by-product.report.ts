import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, narrowing, notAhead, unit } from '#modules/platform/reports/item-columns.ts'
import { ownerships } from '#modules/platform/reports/stock-as-of.report.ts'

const parameters = {
  end_date: f.day('截止日期', { hint: '留空为当前' }),
  ...narrowing,
  ownership: f.pick('库存类型', ownerships),
}
const figures = {
  quantity: f.quantity('库存数量'),
  reserved: f.quantity('占用数量'),
  available: f.quantity('可用数量'),
  in_transit: f.quantity('在途数量'),
  pending: f.quantity('待验数量'),
  near_quantity: f.quantity('近效期数量'),
  first_expiry: f.day('最早有效期'),
  consigned_quantity: f.quantity('其中寄售'),
  value: f.cost('自有金额'),
}
const validate = (asked: Readonly<Record<string, unknown>>) =>
  (asked.end_date ?? null) === null ? null : notAhead(asked)
const page = { route: '/commonView/inventory', title: '库存查询', orgs: 'HDV', menu: '库存管理', filters: [] } as const
const named = ['product_code', 'product_name', 'specification_name', 'manufacturer_name', 'unit_name'] as const
const behind = { specification_sn: 'specification_sn', begin_date: 'flow_from', end_date: 'flow_to' } as const

/**
 * 按品种: how much of each model is on hand, reserved, available, in transit and waiting for inspection; now, or at the
 * end of a day.
 */
export const stockByProduct = defineReport({
  kind: 'stockByProduct',
  title: '库存按品种',
  beside: {
    warehouse_name: f.text('仓库'),
    location: f.text('货位'),
    warehouse_sn: f.text('仓库'),
  },
  sqlFile: 'platform/reports/stock-by-product.sql',
  parameters,
  validate,
  columns: {
    ...goods,
    ...unit,
    ...figures,
    level: f.pick('库存水平', { low: '低于下限', high: '高于上限' }),
  },
  totals: ['quantity', 'value'],
  drillDown: { quantity: { to: 'stockFlow', with: behind } },
  screens: [
    {
      ...page,
      tab: '按品种',
      purpose: '各规格的库存、可用、在途与待验数量；可查任意日期的日终库存',
      columns: [
        ...named,
        'quantity',
        'reserved',
        'available',
        'in_transit',
        'pending',
        'near_quantity',
        'first_expiry',
        'consigned_quantity',
        'value',
        'level',
      ],
    },
  ],
})

/** 按货位: the stock in each location of each warehouse. */
export const stockByPlace = defineReport({
  kind: 'stockByPlace',
  title: '库存按货位',
  beside: {
    level: f.text('层级'),
  },
  sqlFile: 'platform/reports/stock-by-location.sql',
  parameters,
  validate,
  columns: {
    warehouse_name: f.text('仓库'),
    location: f.text('货位'),
    ...goods,
    ...unit,
    ...figures,
  },
  totals: ['quantity', 'value'],
  drillDown: {
    quantity: { to: 'stockFlow', with: { ...behind, warehouse_model_inner_sn: 'warehouse_sn' } },
  },
  screens: [
    {
      ...page,
      tab: '按货位',
      purpose: '各仓库、货位的库存；可查任意日期的日终库存',
      columns: [
        'warehouse_name',
        'location',
        ...named,
        'quantity',
        'reserved',
        'available',
        'near_quantity',
        'first_expiry',
        'consigned_quantity',
        'value',
      ],
    },
  ],
})
