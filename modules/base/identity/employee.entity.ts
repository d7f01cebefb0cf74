import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { firstPasswordNote } from '#modules/base/vocabulary/first-password.ts'
import { qualityPosts } from '#modules/base/identity/staff-file.entity.ts'
import { syncCall } from '#modules/hospital/his/staff/sync-call.ts'
import { EMAIL, MOBILE, mobileMsg } from '#kernel/values/patterns.ts'

/** 员工: the people of an organisation; an employee may be given a login. */
export const employee = defineEntity({
  kind: 'employee',
  title: '员工',
  table: 'employee',
  key: 'employee_inner_sn',
  scope: 'organisation',
  display: 'name',
  pickerFields: ['department_inner_sn', 'position', 'title', 'is_surgeon'],
  whole: true,
  fields: {
    code: f.text('工号', { required: true, max: 40 }),
    name: f.text('姓名', { required: true, max: 40 }),
    sex: f.pick('性别', { 男: '男', 女: '女' }),
    department_inner_sn: f.ref('所属部门', 'department'),
    position: f.text('岗位', { max: 40 }),
    quality_post: f.pick('质量岗位', qualityPosts, { hint: '质量管理、验收、养护与仓储人员每年体检，须有培训记录' }),
    title: f.text('职称', { max: 40, dictionary: 'job_title' }),
    phone: f.text('手机号', { match: MOBILE, matchMsg: mobileMsg }),
    email: f.text('邮箱', { match: EMAIL, matchMsg: '邮箱格式输入有误' }),
    his_staff_no: f.text('HIS工号', { max: 40 }),
    badge_no: f.text('工牌号', { max: 60, hint: '扫描工牌签名时用，每人一个' }),
    is_surgeon: f.flag('手术医生', { default: false }),
    entry_date: f.day('入职日期'),
    description: f.longText('说明', { max: 500 }),
    status: f.pick('状态', { enabled: '在职', disabled: '离职' }, { readOnly: true, default: 'enabled' }),
  },
  extras: {
    login: f.text('登录账号'),
    has_account: f.flag('是否开通账号'),
    certificates: f.text('资格证书', { width: 180 }),
    health_valid_to: f.day('健康证有效期'),
    last_training: f.text('培训记录', { hint: '最近一次培训', width: 180 }),
  },
  unique: [['code'], ['badge_no']],
  /** The platform may look into any organisation. */
  parameters: { of_org_sn: f.ref('机构', 'organisation') },
  search: ['name', 'code', 'phone', 'pinyin'],
  actions: {
    openAccount: {
      label: '开通账号',
      asks: { role_sn: f.ref('角色', 'role', { required: true }) },
      note: firstPasswordNote,
    },
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
  calls: { sync: syncCall('同步HIS人员') },
  screens: [
    {
      route: '/ptm/HumanResources',
      tab: '员工',
      leads: true,
      title: '人力资源',
      orgs: 'PHDV',
      menu: '系统设置',
      purpose: '本机构的员工：部门、岗位与登录账号',
      columns: [
        'code',
        'name',
        'sex',
        'department_inner_sn',
        'position',
        'quality_post',
        'title',
        'phone',
        'email',
        'certificates',
        'health_valid_to',
        'last_training',
        'entry_date',
        'is_surgeon',
        'has_account',
        'login',
        'status',
      ],
      filters: ['name', 'code', 'department_inner_sn', 'position', 'quality_post', 'phone', 'has_account', 'status'],
    },
  ],
})
