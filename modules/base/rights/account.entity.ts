import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { firstPasswordNote } from '#modules/base/vocabulary/first-password.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'
import { MOBILE, mobileMsg } from '#kernel/values/patterns.ts'
import { orgTypes } from '#modules/base/rights/system-role.entity.ts'

/** 账号: every login of every organisation, for the platform's support. Accounts are created elsewhere. */
export const account = defineEntity({
  kind: 'account',
  title: '账号',
  table: 'app_user',
  key: 'account_sn',
  scope: 'shared',
  writers: 'P',
  display: 'login',
  aboutRights: true,
  fields: {
    login: f.text('登录账号', { readOnly: true }),
    name: f.text('姓名', { readOnly: true }),
    phone: f.text('手机号', { readOnly: true }),
    org_sn: f.ref('机构名称', 'organisation', { readOnly: true }),
    is_administrator: f.flag('是否管理员', { readOnly: true }),
    must_change: f.flag('须修改密码', { readOnly: true }),
    password_changed_at: f.instant('密码更新时间', { readOnly: true }),
    created_at: f.instant('创建时间', { readOnly: true }),
    status: statusField,
  },
  extras: {
    system_type: f.pick('机构类型', orgTypes),
    vip_level: f.count('VIP等级'),
    department_name: f.text('部门'),
    role_names: f.text('角色'),
    last_seen_at: f.instant('最近登录时间'),
    session_count: f.count('在线会话数'),
    locked_until: f.instant('锁定至'),
  },
  search: ['login', 'name', 'phone'],
  sort: '-account_sn',
  actions: {
    resetPwd: { label: '重置密码', tone: 'danger', asksReason: true, note: firstPasswordNote },
    unlock: { label: '解锁' },
    kick: { label: '强制下线', tone: 'danger' },
    changePhone: {
      label: '变更手机号',
      asks: { phone: f.text('新手机号', { required: true, match: MOBILE, matchMsg: mobileMsg }) },
    },
    exportFull: { label: '显示完整手机号' },
  },
  screens: [
    {
      route: '/ptm/accountList',
      title: '账号列表',
      orgs: 'P',
      menu: '权限管理',
      purpose: '各机构的全部登录账号：解锁、重置密码、停用、强制下线',
      columns: [
        'login',
        'name',
        'phone',
        'system_type',
        'org_sn',
        'department_name',
        'role_names',
        'is_administrator',
        'vip_level',
        'created_at',
        'last_seen_at',
        'session_count',
        'password_changed_at',
        'locked_until',
        'status',
      ],
      filters: ['login', 'name', 'phone', 'org_name', 'system_type', 'status', 'created_at', 'last_seen_at'],
      actions: ['resetPwd', 'unlock', 'enable', 'disable', 'kick', 'changePhone', 'exportFull'],
    },
  ],
})
