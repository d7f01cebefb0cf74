import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { dataScopes } from '#modules/base/vocabulary/data-scopes.ts'

/** 用户角色分配: the roles of each user, the visible scope, and the period. */
export const userRoleAssignment = defineEntity({
  kind: 'userRoleAssignment',
  title: '用户角色',
  table: 'app_user',
  key: 'user_inner_sn',
  scope: 'organisation',
  display: 'name',
  aboutRights: true,
  fields: {
    login: f.text('登录账号', { readOnly: true }),
    name: f.text('姓名', { readOnly: true }),
    roles: { ...f.codes('已分配角色'), target: 'role' },
    data_scope: f.pick('数据范围', dataScopes, { default: 'organisation' }),
    rights_from: f.day('生效日期'),
    rights_to: f.day('有效期至'),
    is_administrator: f.flag('管理员', { readOnly: true }),
  },
  extras: {
    account_status: f.pick('账号状态', { enabled: '启用', disabled: '停用' }),
    department_name: f.text('部门'),
    role_names: f.text('角色'),
    conflicts: f.text('权限冲突提示'),
    changed_by: f.text('最近修改人'),
    changed_at: f.instant('最近修改时间'),
  },
  guards: [
    row =>
      row.rights_from === null ||
      row.rights_to === null ||
      row.rights_from <= row.rights_to ||
      '有效期至不能早于生效日期',
  ],
  search: ['login', 'name'],
  actions: {
    assign: { label: '分配角色', asks: { role_sn: f.ref('角色', 'role', { required: true }) } },
    remove: { label: '移除角色', asks: { role_sn: f.ref('角色', 'role', { required: true }) } },
    copy: { label: '复制他人权限', asks: { from_sn: f.ref('从用户', 'user', { required: true }) } },
  },
  screens: [
    {
      route: '/ptm/userManage/userRoles',
      title: '用户角色分配',
      orgs: 'PHDV',
      menu: '权限管理',
      purpose: '为用户分配角色、数据范围与期限；即时生效',
      columns: [
        'login',
        'name',
        'department_name',
        'role_names',
        'data_scope',
        'rights_from',
        'rights_to',
        'conflicts',
        'changed_by',
        'changed_at',
        'account_status',
      ],
      filters: ['login', 'name', 'role_names', 'account_status'],
      actions: ['edit', 'assign', 'remove', 'copy'],
    },
  ],
})
