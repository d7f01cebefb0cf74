import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'
import { orgTypes } from '#modules/base/rights/system-role.entity.ts'

/** 角色模板: a prepared set of roles for a kind of organisation, created when one passes its registration. */
export const roleTemplate = defineEntity({
  kind: 'roleTemplate',
  title: '角色模板',
  table: 'role_template',
  key: 'role_template_sn',
  scope: 'shared',
  writers: 'P',
  display: 'name',
  aboutRights: true,
  fields: {
    code: f.text('模板编码', { required: true, max: 40 }),
    name: f.text('模板名称', { required: true, max: 40 }),
    system_type: f.pick('机构类型', orgTypes, { required: true }),
    vip_level: f.count('适用VIP等级', { min: '0', default: 0 }),
    is_default: f.flag('是否默认', { readOnly: true, default: false }),
    departments: f.codes('默认部门', { hint: '新机构首次登录时建立，输入后回车' }),
    warehouses: f.codes('默认仓库', { hint: '新机构首次登录时建立，输入后回车' }),
    description: f.text('说明', { max: 200 }),
    revision: f.count('版本', { readOnly: true, hint: '模板或其角色每修改一次加1' }),
    changed_at: f.instant('修改时间', { readOnly: true }),
    status: statusField,
  },
  extras: { role_names: f.text('包含角色'), org_count: f.count('使用机构数') },
  unique: [['code']],
  search: ['name', 'code'],
  actions: {
    apply: { label: '应用到机构', asks: { org_sn: f.ref('机构', 'organisation', { required: true }) } },
    default: { label: '设为默认' },
    copy: { label: '复制', asks: { code: f.text('新编码', { required: true, max: 40 }) } },
  },
  screens: [
    {
      route: '/ptm/maintenance/groupTemplate',
      title: '角色模板',
      orgs: 'P',
      menu: '系统设置',
      purpose: '各类机构开通时的默认角色、部门与仓库；应用到机构时只补充，不收回',
      columns: [
        'code',
        'name',
        'system_type',
        'vip_level',
        'role_names',
        'is_default',
        'org_count',
        'revision',
        'changed_at',
        'status',
      ],
      filters: ['name', 'system_type', 'vip_level', 'is_default', 'status'],
    },
  ],
})

/** 模板角色: one role of a template. */
export const templateRole = defineEntity({
  kind: 'templateRole',
  title: '模板角色',
  table: 'template_role',
  key: 'template_role_sn',
  scope: 'shared',
  writers: 'P',
  under: 'roleTemplate',
  display: 'name',
  aboutRights: true,
  fields: {
    role_template_sn: f.ref('角色模板', 'roleTemplate', { required: true, shows: { system_type: 'system_type' } }),
    code: f.text('角色编码', { required: true, max: 40 }),
    name: f.text('角色名称', { required: true, max: 40 }),
    description: f.text('角色说明', { max: 200 }),
    flags: f.codes('权限'),
  },
  unique: [['role_template_sn', 'name']],
  screens: [],
})
