import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { orderlyPeriod, period } from '#modules/platform/reports/item-columns.ts'

/** Kinds of loss, as in the document. */
export const lossTypes = {
  counted: '盘亏',
  broken: '破损',
  soiled: '污染',
  missing: '丢失',
  transport: '运输损坏',
  other: '其他',
} as const

/** 损耗统计: losses by warehouse, cause and month, against the warehouse's average value in that month. */
export const lossStats = defineReport({
  kind: 'lossStats',
  title: '损耗统计',
  sqlFile: 'platform/reports/loss-stats.sql',
  parameters: {
    ...period,
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    specification_sn: f.ref('规格型号', 'specification'),
    product: f.text('产品名称/编码'),
    loss_type: f.pick('报损类型', lossTypes),
  },
  validate: orderlyPeriod,
  columns: {
    month: f.text('月份'),
    warehouse_name: f.text('仓库'),
    loss_type: f.pick('报损类型', lossTypes),
    document_count: f.count('单据数'),
    quantity: f.quantity('损耗数量'),
    amount: f.cost('损耗金额'),
    average_stock: f.cost('平均库存金额'),
    loss_rate: f.rate('损耗率'),
  },
  totals: ['quantity', 'amount'],
  drillDown: {
    document_count: { to: 'loss', with: { warehouse_model_inner_sn: 'warehouse_sn', loss_type: 'loss_type' } },
  },
  screens: (['/commonView/frmLoss', '/commonView/reportingLoss'] as const).map(route => ({
    route,
    hidden: route !== '/commonView/frmLoss',
    tab: '损耗统计',
    title: route === '/commonView/frmLoss' ? '报损单' : '报损管理',
    orgs: 'HDV',
    menu: '损溢管理',
    purpose: '按仓库、原因、月份统计已入账的损耗；损耗率 = 损耗金额 ÷ 当月期初期末平均库存金额',
    columns: [
      'month',
      'warehouse_name',
      'loss_type',
      'document_count',
      'quantity',
      'amount',
      'average_stock',
      'loss_rate',
    ] as const,
    filters: [],
  })),
})
