import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { deviceClasses } from '#modules/trade/catalogue/products/risk-classes.ts'

/**
 * 产品发布统计: how many products are in which state, how long audit and release took, and how many passed the first time.
 */
export const productReleaseStatus = defineReport({
  kind: 'productReleaseStatus',
  title: '产品发布统计',
  sqlFile: 'trade/catalogue/release/product-release-status.sql',
  unscoped: 'products belong to no warehouse or department',
  parameters: {
    dimension: f.pick('统计维度', {
      state: '状态',
      builder: '提交机构',
      manufacturer: '生产厂家',
      device_class: '管理类别',
      month: '月份',
    }),
    begin_date: f.day('提交起'),
    end_date: f.day('提交止'),
    manufacturer: f.text('生产厂家'),
    device_class: f.pick('管理类别', deviceClasses),
  },
  columns: {
    group_name: f.text('分组', { width: 220 }),
    products: f.count('产品数'),
    sizes: f.count('规格数'),
    audit_hours: f.quantity('平均审核时长(小时)'),
    release_hours: f.quantity('平均发布时长(小时)'),
    released: f.count('已发布数'),
    first_pass: f.count('一次通过数'),
    first_pass_rate: f.rate('一次通过率'),
  },
  totals: ['products', 'sizes', 'released', 'first_pass'],
  screens: [
    {
      route: '/ptm/productIsIssue',
      tab: '发布统计',
      title: '产品发布状态',
      orgs: 'PHDV',
      menu: '产品管理',
      purpose: '按状态、提交机构、生产厂家、类别或月份统计产品数、审核与发布时长和一次通过率',
      columns: [
        'group_name',
        'products',
        'sizes',
        'audit_hours',
        'release_hours',
        'released',
        'first_pass',
        'first_pass_rate',
      ],
      filters: [],
    },
  ],
})
