import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { compare, type Decimal, multiply } from '#kernel/values/decimal.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

const columns = [
  'department_inner_sn',
  'custom_type_sn',
  'amount',
  'used_amount',
  'left_amount',
  'valid_from',
  'valid_to',
  'status',
  'remark',
] as const
const filters = ['department_inner_sn', 'custom_type_sn', 'status'] as const

/** True if a month's use reached a share of its quota. */
const reaches = (row: Readonly<Record<string, unknown>>, share: Decimal): boolean =>
  typeof row.used_amount === 'string' &&
  typeof row.amount === 'string' &&
  compare(row.used_amount, multiply(row.amount, share, 2)) > 0

/**
 * 科室额度: the amount that a department may request in a month, in all or of one class of goods, at the catalogue's
 * prices.
 */
export const departmentQuota = defineEntity({
  kind: 'departmentQuota',
  title: '科室额度',
  table: 'department_quota',
  key: 'department_quota_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'department_inner_sn',
  deletedFromList: true,
  sort: 'department_inner_sn,custom_type_sn,-valid_from',
  tone: row => (reaches(row, '1') ? 'danger' : reaches(row, '0.9') ? 'warning' : undefined),
  fields: {
    department_inner_sn: f.ref('科室', 'department', { required: true }),
    custom_type_sn: f.ref('产品分类', 'customType', {
      optionsFilter: { tree: 'own' },
      hint: '含下级分类；留空为该科室的全部产品',
    }),
    amount: f.amount('月度额度', { required: true, min: '0' }),
    valid_from: f.day('生效日期', { required: true, default: 'today' }),
    valid_to: f.day('失效日期', { hint: '留空为长期有效' }),
    status: statusField,
    remark: f.text('备注', { max: 200 }),
  },
  extras: {
    used_amount: f.amount('本月已用'),
    left_amount: f.amount('本月剩余'),
  },
  unique: [['department_inner_sn', 'custom_type_sn', 'valid_from']],
  guards: [row => row.valid_to === null || row.valid_to >= row.valid_from! || '失效日期不能早于生效日期'],
  screens: [
    {
      route: '/hospital/ruleConfiguration',
      tab: '科室额度',
      title: '规则配置',
      orgs: 'H',
      menu: '系统设置',
      purpose: '各科室每月可申领的金额；超出时提醒或禁止由规则【科室月度定额控制】决定',
      columns: [...columns],
      filters: [...filters],
    },
    {
      route: '/hospital/departStatisticalReport',
      tab: '设置预算',
      title: '科室统计报表',
      orgs: 'H',
      menu: '报表中心',
      purpose: '各科室的月度预算，即科室额度：在统计表中与使用金额相比，并由规则【科室月度定额控制】限制申领',
      columns: [...columns],
      filters: [...filters],
    },
    {
      route: '/hospital/hDepartmentInventory',
      tab: '科室额度',
      title: '科室库存',
      orgs: 'H',
      menu: '科室管理',
      purpose: '本科室本月的额度、已申领和剩余',
      columns: columns.slice(0, 7),
      filters: ['department_inner_sn', 'custom_type_sn'],
      where: { status: 'enabled' },
      actions: [],
    },
  ],
})
