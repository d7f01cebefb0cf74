import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

const given = { readOnly: true } as const

/**
 * 机构注册申请: a hospital, dealer or manufacturer that registered itself, until the platform passes, refuses or matches
 * it.
 */
export const registration = defineEntity({
  kind: 'registrationAudit',
  title: '机构注册申请',
  table: 'registration',
  key: 'sn',
  scope: 'organisation',
  writers: 'P',
  display: 'name',
  fields: {
    code: f.text('申请编号', given),
    system_type: f.pick('机构类型', { 1: '医院', 2: '经销商', 3: '厂商' }, given),
    name: f.text('机构名称', given),
    alias: f.text('别名', given),
    social_credit_code: f.text('统一社会信用代码', given),
    administrative_division_sn: f.text('行政区划代码', given),
    division_name: f.text('行政区划', given),
    address: f.text('地址', given),
    registrant: f.text('联系人', given),
    registrant_phone: f.text('手机号', given),
    registrant_email: f.text('邮箱', given),
    description: f.longText('说明', given),
    attachments: f.files('营业执照/执业许可证扫描件', given),
    applied_at: f.instant('申请时间', given),
    state: f.pick('审核状态', { pending: '待审核', passed: '已通过', refused: '未通过' }, given),
    inviter_sn: f.ref('邀请机构', 'organisation', given),
    matched_sn: f.ref('匹配机构', 'organisation', given),
    decided_by: f.text('审核人', given),
    decided_at: f.instant('审核时间', given),
    reason: f.text('未通过原因', given),
  },
  extras: {
    similar: f.text('疑似重复机构', { hint: '信用代码相同、名称相同或手机号相同的已有机构' }),
    code_hint: f.text('信用代码提示'),
  },
  sort: '-sn',
  search: ['name', 'alias', 'social_credit_code', 'registrant', 'registrant_phone', 'code'],
  actions: {
    pass: { label: '通过', tone: 'primary' },
    noPass: { label: '不通过', asksReason: true, reasonMsg: '请填写不通过原因', tone: 'danger' },
    match: {
      label: '匹配',
      asks: {
        org_sn: f.ref('相关机构', 'organisation', {
          optionsFilter: { scope: 'all', system_type: '$system_type', resembles: '$sn', sort: 'likeness' },
          matchMsg: '被编辑过的相关机构名称不存在。',
          hint: '申请人将成为所选机构的管理员，不再新建机构',
        }),
      },
    },
  },
  screens: [
    {
      route: '/ptm/agencyManage/RegistAudit',
      title: '机构注册审核',
      orgs: 'P',
      menu: '机构管理',
      purpose: '核对自行注册的医院、经销商与厂商：通过、不通过，或匹配到已有机构',
      columns: [
        'code',
        'system_type',
        'name',
        'alias',
        'social_credit_code',
        'division_name',
        'address',
        'registrant',
        'registrant_phone',
        'registrant_email',
        'attachments',
        'applied_at',
        'state',
        'similar',
        'inviter_sn',
        'matched_sn',
        'decided_by',
        'decided_at',
        'reason',
      ],
      filters: [
        'name',
        'system_type',
        'social_credit_code',
        'division_name',
        'registrant',
        'registrant_phone',
        'applied_at',
        'state',
      ],
      actions: ['pass', 'noPass', 'match'],
      waits: { action: 'pass', text: '待审核', orgs: 'P', where: { state: 'pending' } },
    },
  ],
})
