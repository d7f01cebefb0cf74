import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'

/**
 * 损溢对比: finds and losses of one model within one count side by side; a surplus of one lot matching a shortage of
 * another was a booking error.
 */
export const overflowLoss = defineReport({
  kind: 'overflowLoss',
  title: '损溢对比',
  sqlFile: 'platform/reports/overflow-loss.sql',
  parameters: {
    ...period,
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    specification_sn: f.ref('规格型号', 'specification'),
    count_sn: f.text('盘点单号'),
    swapped: f.flag('只看疑似串批'),
  },
  validate: orderlyPeriod,
  columns: {
    sn: f.text('盘点单号'),
    business_date: f.day('盘点日期'),
    warehouse_name: f.text('仓库'),
    ...goods,
    ...unit,
    found_lots: f.text('报溢批号'),
    found: f.quantity('报溢数量'),
    found_sn: f.text('报溢单号'),
    lost_lots: f.text('报损批号'),
    lost: f.quantity('报损数量'),
    lost_sn: f.text('报损单号'),
    net: f.quantity('净差异'),
    is_swapped: f.flag('疑似串批'),
  },
  totals: ['found', 'lost', 'net'],
  drillDown: { sn: { document: 'paper_kind' } },
  screens: [
    {
      route: '/commonView/reportingOverflow',
      tab: '损溢对比',
      title: '报溢管理',
      orgs: 'HDV',
      menu: '损溢管理',
      purpose: '同一盘点、同一规格的报溢与报损对照：数量相同而批号不同的多为串批，请用进销存变更更正',
      columns: [
        'sn',
        'business_date',
        'warehouse_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'found_lots',
        'found',
        'found_sn',
        'lost_lots',
        'lost',
        'lost_sn',
        'net',
        'is_swapped',
      ],
      filters: [],
    },
  ],
})
