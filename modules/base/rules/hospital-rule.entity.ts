import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { hospitalPolicies } from '#modules/base/settings/hospital-policies.ts'
import { controls } from '#kernel/definition/setting.ts'
import { onOff } from '#modules/base/vocabulary/status-field.ts'

const given = { readOnly: true } as const
const categories = Object.fromEntries(hospitalPolicies.map(({ category }) => [category, category]))

/**
 * 规则配置: the rules for an organisation's documents, adjusted for the organisation, a warehouse, a department or a
 * class of products.
 */
export const hospitalRule = defineEntity({
  kind: 'hospitalRule',
  title: '规则配置',
  table: 'hospital_rule_item',
  key: 'hospital_rule_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'title',
  sort: 'place,hospital_rule_sn',
  fields: {
    place: f.count('序号', given),
    name: f.text('规则编码', { ...given, width: 130 }),
    title: f.text('规则名称', { ...given, width: 190 }),
    category: f.pick('规则分组', categories, given),
    control: f.pick('控制方式', controls),
    figure: f.text('参数值', { max: 40, width: 160 }),
    unit: f.text('单位', { ...given, width: 70 }),
    warehouse_model_inner_sn: f.ref('适用仓库', 'warehouse', given),
    department_inner_sn: f.ref('适用科室', 'department', given),
    custom_type_sn: f.ref('适用产品分类', 'customType', given),
    status: f.pick('是否启用', onOff, { ...given, default: 'enabled' }),
    preset: f.text('默认值', { ...given, width: 160 }),
    note: f.text('说明', { ...given, width: 320 }),
    reason: f.text('变更原因', { max: 200 }),
    changed_by: f.text('更新人', given),
    changed_at: f.instant('更新时间', given),
  },
  extras: { scope_name: f.text('适用范围', { width: 160 }), allowed: f.text('可填内容', { width: 180 }) },
  search: ['title', 'name', 'note'],
  actions: {
    narrow: {
      label: '按范围设置',
      asks: {
        warehouse_model_inner_sn: f.ref('适用仓库', 'warehouse'),
        department_inner_sn: f.ref('适用科室', 'department'),
        custom_type_sn: f.ref('适用产品分类', 'customType', { optionsFilter: { tree: 'own' } }),
      },
    },
    reset: { label: '恢复默认', tone: 'danger', asksReason: true, reasonMsg: '请填写变更原因' },
  },
  links: [{ label: '变更历史', to: '/hospital/ruleConfiguration', tab: '变更历史', with: { title: '$title' } }],
  screens: [
    {
      route: '/hospital/ruleConfiguration',
      tab: '规则',
      leads: true,
      title: '规则配置',
      orgs: 'HDV',
      menu: '系统设置',
      purpose: '单据的业务规则：禁止的不予办理，提醒的须确认并记录确认人；改动只对此后的操作生效',
      columns: [
        'title',
        'category',
        'control',
        'figure',
        'unit',
        'scope_name',
        'status',
        'preset',
        'allowed',
        'note',
        'name',
        'changed_by',
        'changed_at',
      ],
      filters: [
        'category',
        'title',
        'control',
        'warehouse_model_inner_sn',
        'department_inner_sn',
        'custom_type_sn',
        'status',
      ],
      actions: ['edit', 'narrow', 'enable', 'disable', 'reset'],
    },
  ],
})

/** 变更历史: each change of a rule, with the previous value and the reason. */
export const hospitalRuleChange = defineEntity({
  kind: 'hospitalRuleChange',
  title: '规则变更历史',
  table: 'hospital_rule_change',
  key: 'hospital_rule_change_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'title',
  sort: '-hospital_rule_change_sn',
  fields: {
    name: f.text('规则编码', { width: 130 }),
    title: f.text('规则名称', { width: 190 }),
    scope_name: f.text('适用范围'),
    old_value: f.text('变更前', { width: 180 }),
    new_value: f.text('变更后', { width: 180 }),
    reason: f.text('变更原因', { width: 240 }),
    changed_by: f.text('更新人'),
    changed_at: f.instant('更新时间'),
  },
  search: ['title', 'name'],
  screens: [
    {
      route: '/hospital/ruleConfiguration',
      tab: '变更历史',
      title: '规则配置',
      orgs: 'HDV',
      menu: '系统设置',
      purpose: '规则的变更记录：变更前后、操作人、时间与原因',
      columns: ['changed_at', 'title', 'scope_name', 'old_value', 'new_value', 'reason', 'changed_by'],
      filters: ['title', 'changed_by', 'changed_at'],
    },
  ],
})
