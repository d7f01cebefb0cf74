import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { firstPasswordNote } from '#modules/base/vocabulary/first-password.ts'
import { dataScopes } from '#modules/base/vocabulary/data-scopes.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'
import { MOBILE, mobileMsg } from '#kernel/values/patterns.ts'

/** 用户: a login of the organisation, with its roles and the warehouses it is restricted to. */
export const user = defineEntity({
  kind: 'user',
  title: '用户',
  table: 'app_user',
  key: 'user_inner_sn',
  scope: 'organisation',
  display: 'name',
  deletedByOwner: true,
  aboutRights: true,
  addNote: firstPasswordNote,
  fields: {
    login: f.text('登录账号', {
      required: true,
      max: 40,
      match: /^[0-9A-Za-z_.@-]{2,40}$/,
      matchMsg: '登录账号只能由字母、数字和 _ . @ - 组成，至少2位',
    }),
    name: f.text('姓名', { required: true, max: 40 }),
    phone: f.text('手机号', { required: true, match: MOBILE, matchMsg: mobileMsg }),
    employee_inner_sn: f.ref('员工', 'employee'),
    roles: { ...f.codes('角色'), target: 'role' },
    store_scope: f.pick('仓库范围', { all: '全部仓库', chosen: '指定仓库' }, { default: 'all' }),
    warehouses: {
      ...f.codes('可见仓库', { hint: '仓库范围为“指定仓库”时有效，不选表示看不到任何仓库' }),
      target: 'warehouse',
    },
    data_scope: f.pick('数据范围', dataScopes, { default: 'organisation' }),
    departments: { ...f.codes('可见科室', { hint: '数据范围为“指定科室”时有效' }), target: 'department' },
    message_types: f.codes('接收消息类型', {
      hint: '业务单据、通知公告、审核结果、平台公告、系统维护、培训通知、系统消息；留空表示全部',
    }),
    remark: f.text('备注', { max: 200 }),
    is_administrator: f.flag('管理员', { default: false, hint: '拥有本机构的全部权限' }),
    created_at: f.instant('创建时间', { readOnly: true }),
    status: statusField,
  },
  extras: {
    role_names: f.text('角色'),
    warehouse_names: f.text('可见仓库'),
    department_name: f.text('部门'),
    cabinet_count: f.count('柜门权限数'),
    must_change: f.flag('须修改密码'),
    password_changed_at: f.instant('密码更新时间'),
    password_until: f.day('密码到期日'),
    last_seen_at: f.instant('最近登录时间'),
    last_address: f.text('最近登录IP'),
    failure_count: f.count('失败次数'),
  },
  search: ['login', 'name', 'phone', 'pinyin'],
  actions: {
    resetPwd: { label: '重置密码', tone: 'danger', note: firstPasswordNote },
    unlock: { label: '解锁' },
    handOver: {
      label: '交接单据',
      asks: {
        to_user_sn: f.ref('接收人', 'user', {
          required: true,
          hint: '未完成的单据（草稿、待审核、已驳回）转由接收人经办',
        }),
      },
    },
  },
  screens: [
    {
      route: '/ptm/userManage/user',
      title: '用户管理',
      orgs: 'PHDV',
      menu: '权限管理',
      purpose: '本机构的登录账号：角色、可见仓库、重置密码与解锁',
      columns: [
        'login',
        'name',
        'phone',
        'department_name',
        'role_names',
        'store_scope',
        'warehouse_names',
        'data_scope',
        'cabinet_count',
        'is_administrator',
        'password_changed_at',
        'password_until',
        'last_seen_at',
        'last_address',
        'failure_count',
        'created_at',
        'status',
      ],
      keyColumns: ['login', 'name', 'phone', 'department_name', 'role_names', 'status'],
      filters: ['login', 'name', 'department_name', 'role_names', 'phone', 'status', 'last_seen_at'],
    },
  ],
})
