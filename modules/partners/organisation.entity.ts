import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import { EMAIL, MOBILE, mobileMsg, NAME, statusField } from '#modules/on-off.ts'

/** 机构: every hospital, dealer and vendor of the network, and the platform itself. Kept by the platform. */
export const organisation = defineEntity({
  kind: 'organisation',
  title: '机构',
  table: 'organisation',
  key: 'org_sn',
  scope: 'shared',
  writers: 'P',
  display: 'name',
  retire: 'disable',
  restores: row => ({ 1: 'RESTOREHOSPITAL', 2: 'RESTOREDEALER', 3: 'RESTOREVENDER' })[String(row.system_type)] ?? null,
  fields: {
    code: f.text('机构编号', { readOnly: true, max: 20 }),
    name: f.text('机构名称', { required: true, max: 100, match: NAME, matchMsg: '机构名称中请不要输入特殊字符' }),
    alias: f.text('别名', { max: 60, match: NAME, matchMsg: '别名中请不要输入特殊字符' }),
    system_type: f.pick('机构类型', { 0: '平台', 1: '医院', 2: '经销商', 3: '厂商' }, { required: true }),
    social_credit_code: f.text('统一社会信用代码', {
      required: true,
      match: /^[0-9A-Za-z]{18}$/,
      matchMsg: '统一社会信用代码格式为字母或数字组合的18位',
    }),
    administrative_division_sn: f.text('行政区划代码', { max: 12 }),
    division_name: f.text('行政区划', { readOnly: true }),
    address: f.text('地址', { max: 200, default: '' }),
    legal_person: f.text('法定代表人', { max: 40 }),
    registrant: f.text('联系人', { max: 40 }),
    registrant_phone: f.text('联系电话', { match: MOBILE, matchMsg: mobileMsg }),
    registrant_email: f.text('邮箱', { match: EMAIL, matchMsg: '邮箱格式输入有误' }),
    hospital_level: f.text('医疗机构等级', { max: 20 }),
    nature: f.text('性质', { max: 20, dictionary: 'org_nature' }),
    gln: f.text('全球位置码', { match: /^\d{13}$/, matchMsg: '全球位置码应为13位数字' }),
    bank_name: f.text('开户银行', { max: 60 }),
    bank_account: f.text('银行账号', { max: 40 }),
    uses_system: f.flag('是否使用系统', { default: true, hint: '否：仅作为往来单位，不收消息，也不为其生成单据' }),
    description: f.longText('备注', { max: 500 }),
    created_at: f.instant('创建时间', { readOnly: true }),
    status: statusField,
  },
  extras: {
    licence_state: f.pick('证照状态', { valid: '有效', expiring: '即将到期', expired: '已过期', missing: '未登记' }),
    user_count: f.count('用户数'),
    partner_count: f.count('交易机构数'),
  },
  actions: {
    disable: { label: '停用', asksReason: true, reasonMsg: '请填写停用原因', tone: 'danger' },
    resetPwd: { label: '重置管理员密码', tone: 'danger' },
    merge: {
      label: '合并机构',
      tone: 'danger',
      asksReason: true,
      asks: { target_sn: f.ref('并入机构', 'organisation', { required: true }) },
    },
  },
  unique: [['system_type', 'social_credit_code']],
  search: ['name', 'alias', 'code', 'pinyin', 'social_credit_code'],
  parameters: {
    /** `all`: every approved organisation, to ask for a relation. */
    scope: f.pick('范围', { all: '全部' }),
    /** Partners in one direction of the trade. */
    relation: f.pick('往来方向', { supplier: '供应商', customer: '客户', partner: '往来单位' }),
  },
  screens: [
    {
      route: '/ptm/agencyManage/AgencyManagement',
      title: '机构管理',
      orgs: 'P',
      menu: '机构管理',
      purpose: '全部医院、经销商与厂商的主数据，启用与停用',
      columns: [
        'code',
        'system_type',
        'name',
        'alias',
        'social_credit_code',
        'division_name',
        'legal_person',
        'registrant',
        'registrant_phone',
        'uses_system',
        'licence_state',
        'user_count',
        'partner_count',
        'status',
        'created_at',
      ],
      filters: ['name', 'system_type', 'social_credit_code', 'division_name', 'uses_system', 'status', 'created_at'],
      actions: ['add', 'edit', 'enable', 'disable', 'resetPwd', 'merge'],
    },
  ],
})
