import { defineEntity } from '#kernel/definition/entity.ts'
import { relationNames } from '#kernel/values/organisation-type.ts'
import { f } from '#kernel/definition/field.ts'
import { EMAIL, MOBILE, mobileMsg, NAME } from '#kernel/values/patterns.ts'

/**
 * 未入驻机构: a partner outside the platform, recorded by the organisation that trades with it and visible to no one
 * else.
 */
export const localPartner = defineEntity({
  kind: 'localPartner',
  title: '未入驻机构',
  table: 'organisation',
  key: 'local_partner_sn',
  scope: 'shared',
  writers: 'HDV',
  display: 'name',
  deletedByOwner: true,
  fields: {
    code: f.text('机构编码', { readOnly: true }),
    name: f.text('机构名称', { required: true, max: 100, match: NAME, matchMsg: '不能输入特殊字符' }),
    alias: f.text('别名', { max: 60, match: NAME, matchMsg: '不能输入特殊字符' }),
    system_type: f.pick('机构类型', { 1: '医院', 2: '经销商', 3: '厂商' }, { required: true }),
    social_credit_code: f.text('统一社会信用代码', {
      required: true,
      match: /^[0-9A-Za-z]{18}$/,
      matchMsg: '统一社会信用代码格式为字母或数字组合的18位',
    }),
    administrative_division_sn: f.text('行政区划代码', { max: 12, hint: '6位，如 320506' }),
    division_name: f.text('行政区划', { readOnly: true }),
    address: f.text('地址', { max: 200, default: '' }),
    legal_person: f.text('法定代表人', { max: 40 }),
    registrant: f.text('联系人', { max: 40 }),
    registrant_phone: f.text('联系电话', { match: MOBILE, matchMsg: mobileMsg }),
    registrant_email: f.text('邮箱', { match: EMAIL, matchMsg: '邮箱格式输入有误' }),
    bank_name: f.text('开户银行', { max: 60 }),
    bank_account: f.text('银行账号', { match: /^[0-9 -]{6,40}$/, matchMsg: '银行账号只能由数字组成' }),
    description: f.longText('备注', { max: 500 }),
    created_at: f.instant('登记时间', { readOnly: true }),
  },
  extras: {
    relation: f.pick('关系类型', relationNames),
    match_state: f.pick('平台状态', {
      absent: '未入驻',
      joined: '已入驻待匹配',
      asked: '待对方审核',
      matched: '已匹配',
    }),
    licence_count: f.count('证照数'),
  },
  links: [
    {
      label: '查看证照',
      by: 'system_type',
      to: {
        1: '/commonView/licRecord/hospitalLic',
        2: '/commonView/licRecord/dealerLic',
        3: '/commonView/licRecord/vendorLic',
      },
      tab: '证照',
      with: { holder_name: '$name' },
    },
  ],
  search: ['name', 'alias', 'pinyin', 'social_credit_code'],
  actions: {
    merge: { label: '匹配平台机构', tone: 'primary' },
  },
  screens: [
    {
      route: '/commonView/agencyManage/AgencyManagementNew',
      tab: '未入驻机构',
      title: '相关机构管理',
      orgs: 'HDV',
      menu: '机构管理',
      purpose: '尚未入驻平台的供应商与客户：单据不发给对方；对方入驻后按信用代码匹配',
      columns: [
        'code',
        'name',
        'system_type',
        'relation',
        'social_credit_code',
        'division_name',
        'registrant',
        'registrant_phone',
        'licence_count',
        'match_state',
        'created_at',
      ],
      filters: ['name', 'alias', 'social_credit_code', 'system_type', 'division_name', 'match_state', 'created_at'],
      actions: ['add', 'edit', 'del', 'merge'],
      waits: { action: 'merge', text: '已入驻待匹配', orgs: 'HDV', where: { match_state: 'joined' } },
    },
  ],
})
