import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'

/**
 * 证照预警汇总: how many licences end soon or have ended, and which goods and documents that concerns; grouped as the
 * reader chooses.
 */
export const licenceValidityFigures = defineReport({
  kind: 'licenceValidityFigures',
  title: '证照预警汇总',
  sqlFile: 'trade/licences/expiry/licence-expiry.sql',
  unscoped: 'licences belong to the organisation, not to a warehouse or department',
  parameters: {
    by: f.pick(
      '汇总方式',
      { category: '预警类别', type: '机构类型', licence: '证照类型', span: '剩余天数段', all: '合计' },
      { default: 'category' },
    ),
    whose: f.pick('证照', { own: '我的证照', partner: '合作机构证照', product: '产品注册证' }),
  },
  columns: {
    grouped: f.text('汇总项', { width: 240 }),
    expiring: f.count('即将到期数'),
    expired: f.count('已过期数'),
    missing: f.count('未登记数'),
    affected_goods: f.count('影响品规数'),
    affected_papers: f.count('影响未完成单据数'),
  },
  totals: ['expiring', 'expired', 'missing'],
  screens: [
    {
      route: '/commonView/licRecord/validityWarning',
      tab: '汇总',
      title: '证照有效期预警',
      orgs: 'HDV',
      menu: '证照管理',
      purpose: '按预警类别、机构类型、证照类型或剩余天数段汇总；影响的品规和单据不重复计算，已忽略的不算',
      columns: ['grouped', 'expiring', 'expired', 'missing', 'affected_goods', 'affected_papers'],
      filters: [],
    },
  ],
})
