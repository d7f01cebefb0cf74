import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

export const orgTypes = { 0: '平台', 1: '医院', 2: '经销商', 3: '厂商' } as const

/** 系统角色: the most that organisations of a kind and level may have; no role inside one exceeds it. */
export const systemRole = defineEntity({
  kind: 'systemRole',
  title: '系统角色',
  table: 'system_role',
  key: 'system_role_sn',
  scope: 'shared',
  writers: 'P',
  display: 'name',
  aboutRights: true,
  fields: {
    code: f.text('系统角色编码', { required: true, max: 40 }),
    name: f.text('系统角色名称', { required: true, max: 40 }),
    system_type: f.pick('机构类型', orgTypes, { required: true }),
    vip_level: f.count('VIP等级', { min: '0', default: 0 }),
    only_org_sn: f.ref('指定机构', 'organisation', { readOnly: true }),
    is_whole: f.flag('全部权限', { default: false, hint: '不限制本类机构的权限' }),
    flags: f.codes('权限'),
    is_builtin: f.flag('系统预置', { readOnly: true, default: false }),
    description: f.text('说明', { max: 200 }),
    changed_by: f.text('修改人', { readOnly: true }),
    changed_at: f.instant('修改时间', { readOnly: true }),
    status: statusField,
  },
  extras: { page_count: f.count('页面数'), operation_count: f.count('操作数'), org_count: f.count('覆盖机构数') },
  unique: [['code']],
  search: ['name', 'code'],
  actions: {
    copy: {
      label: '复制',
      asks: {
        code: f.text('新编码', { required: true, max: 40 }),
        vip_level: f.count('VIP等级', { required: true, min: '0' }),
      },
    },
    org: { label: '指定机构', asks: { org_sn: f.ref('机构', 'organisation', { required: true }) } },
  },
  screens: [
    {
      route: '/ptm/maintenance/systemRole',
      title: '系统角色',
      orgs: 'P',
      menu: '系统设置',
      purpose: '各类机构的权限上限；收回的权限，本类机构全部角色立即失效',
      columns: [
        'code',
        'name',
        'system_type',
        'vip_level',
        'only_org_sn',
        'is_whole',
        'page_count',
        'operation_count',
        'org_count',
        'is_builtin',
        'changed_by',
        'changed_at',
        'status',
      ],
      filters: ['name', 'system_type', 'vip_level', 'status'],
    },
  ],
})
