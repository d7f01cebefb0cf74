import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** 角色: the pages and operations that users with the role may use. */
export const role = defineEntity({
  kind: 'role',
  title: '角色',
  table: 'role',
  key: 'role_sn',
  scope: 'organisation',
  display: 'name',
  aboutRights: true,
  fields: {
    code: f.text('角色编码', { max: 40 }),
    name: f.text('角色名称', { required: true, max: 40 }),
    description: f.text('角色说明', { max: 200 }),
    flags: f.codes('权限'),
    users: { ...f.codes('用户'), target: 'user' },
    is_system: f.flag('系统预置', { readOnly: true, default: false }),
    created_by: f.text('创建人', { readOnly: true }),
    created_at: f.instant('创建时间', { readOnly: true }),
    status: statusField,
  },
  extras: {
    page_count: f.count('页面权限数'),
    operation_count: f.count('按钮权限数'),
    user_count: f.count('用户数'),
    template_code: f.text('来源模板'),
  },
  unique: [['name'], ['code']],
  search: ['name', 'code', 'description'],
  screens: [
    {
      route: '/ptm/userManage/userRole',
      title: '角色管理',
      orgs: 'PHDV',
      menu: '权限管理',
      purpose: '本机构的角色及其页面与操作权限',
      columns: [
        'code',
        'name',
        'description',
        'page_count',
        'operation_count',
        'user_count',
        'template_code',
        'is_system',
        'created_by',
        'created_at',
        'status',
      ],
      keyColumns: ['name', 'description', 'page_count', 'operation_count', 'user_count', 'status'],
      filters: ['name', 'code', 'template_code', 'status'],
    },
  ],
})
