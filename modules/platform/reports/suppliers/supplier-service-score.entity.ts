import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/** 服务评分: how well a supplier serves, 0 to 100, from a day on; 供应商统计报表 weighs the newest one. */
export const supplierServiceScore = defineEntity({
  kind: 'supplierServiceScore',
  title: '供应商服务评分',
  table: 'supplier_service_score',
  key: 'supplier_service_score_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'valid_from',
  sort: '-valid_from,-supplier_service_score_sn',
  unique: [['supplier_sn', 'valid_from']],
  fields: {
    supplier_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
    valid_from: f.day('生效日期', { required: true, default: 'today' }),
    score: f.quantity('服务评分', { required: true, hint: '0至100' }),
    remark: f.text('评价说明', { max: 200, width: 320 }),
    scored_by: f.text('评分人', { readOnly: true }),
  },
  guards: [
    row =>
      row.score === null ||
      (compare(row.score as Decimal, '0') >= 0 && compare(row.score as Decimal, '100') <= 0) ||
      '服务评分应在0至100之间',
  ],
  search: ['supplier_name', 'remark'],
  screens: [
    {
      route: '/hospital/supplierReport',
      tab: '服务评分',
      title: '供应商统计报表',
      orgs: 'H',
      menu: '报表中心',
      purpose: '人工评定的供应商服务评分，自生效日期起计入综合得分',
      columns: ['supplier_sn', 'valid_from', 'score', 'remark', 'scored_by'],
      filters: ['supplier_sn', 'valid_from'],
    },
  ],
})
