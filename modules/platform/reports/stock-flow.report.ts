import { f } from '#kernel/definition/field.ts'
import { qualityStates, steps } from '#kernel/ledger/posting.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, lot, narrowing, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'

/** 库存流水: every move behind every figure, newest first, with the document that caused it. */
export const stockFlow = defineReport({
  kind: 'stockFlow',
  title: '库存流水',
  beside: {
    role: f.text('角色'),
  },
  sqlFile: 'platform/reports/stock-flow.sql',
  leanSums: true,
  parameters: { ...period, ...narrowing, lot_no: f.lot('批号'), document_sn: f.text('单号') },
  validate: orderlyPeriod,
  columns: {
    at: f.instant('时间'),
    document_sn: f.text('单号'),
    step: f.pick('动作', steps),
    warehouse_name: f.text('仓库'),
    location: f.text('货位'),
    ...goods,
    ...lot,
    ...unit,
    quantity_in: f.quantity('入'),
    quantity_out: f.quantity('出'),
    value: f.cost('金额'),
    owner_name: f.text('货主'),
    quality_state: f.pick('质量状态', qualityStates),
  },
  totals: ['quantity_in', 'quantity_out', 'value'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/commonView/inventoryAndSalesDetails',
      title: '进销存明细',
      orgs: 'HDV',
      menu: '库存管理',
      tab: '库存流水',
      purpose: '逐笔出入库流水及对应单据',
      columns: [
        'at',
        'document_sn',
        'step',
        'warehouse_name',
        'location',
        'product_code',
        'product_name',
        'specification_name',
        'lot_no',
        'expiry_date',
        'unit_name',
        'quantity_in',
        'quantity_out',
        'value',
        'owner_name',
        'quality_state',
      ],
      filters: [],
    },
  ],
})
