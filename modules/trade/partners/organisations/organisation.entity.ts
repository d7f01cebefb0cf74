import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { firstPasswordNote } from '#modules/base/vocabulary/first-password.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'
import { EMAIL, MOBILE, mobileMsg, NAME } from '#kernel/values/patterns.ts'

/** 机构: every hospital, dealer and manufacturer of the network, and the platform itself. Maintained by the platform. */
export const organisation = defineEntity({
  kind: 'organisation',
  title: '机构',
  table: 'organisation',
  key: 'org_sn',
  scope: 'shared',
  writers: 'P',
  display: 'name',
  pickerFields: ['short_name', 'alias', 'system_type', 'division_name', 'social_credit_code', 'gln', 'likeness'],
  restores: row => ({ 1: 'RESTOREHOSPITAL', 2: 'RESTOREDEALER', 3: 'RESTOREVENDER' })[String(row.system_type)] ?? null,
  fields: {
    code: f.text('机构编号', { readOnly: true, max: 20 }),
    name: f.text('机构名称', { required: true, max: 100, match: NAME, matchMsg: '机构名称中请不要输入特殊字符' }),
    short_name: f.text('简称/助记码', { max: 40 }),
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
    principal: f.text('企业负责人', { max: 40 }),
    quality_head: f.text('质量负责人', { max: 40 }),
    hospital_level: f.text('医疗机构等级', { max: 20 }),
    business_mode: f.pick('经营方式', { wholesale: '批发', retail: '零售', both: '批零兼营' }),
    business_scope: f.longText('经营范围', { max: 1000 }),
    warehouse_address: f.text('仓库地址', { max: 200 }),
    nature: f.text('性质', { max: 20, dictionary: 'org_nature' }),
    gln: f.text('全球位置码', { match: /^\d{13}$/, matchMsg: '全球位置码应为13位数字' }),
    bank_name: f.text('开户银行', { max: 60 }),
    bank_account: f.text('银行账号', { max: 40 }),
    invoice_contact: f.text('开票地址电话', { max: 200 }),
    uses_system: f.flag('是否使用系统', { default: true, hint: '否：仅作为往来单位，不收消息，也不为其生成单据' }),
    description: f.longText('备注', { max: 500 }),
    created_at: f.instant('创建时间', { readOnly: true }),
    status: statusField,
  },
  extras: {
    licence_state: f.pick('证照状态', { valid: '有效', expiring: '即将到期', expired: '已过期', missing: '未登记' }),
    vip_level: f.count('VIP等级'),
    vip_until: f.day('VIP到期日'),
    user_count: f.count('用户数'),
    partner_count: f.count('交易机构数'),
    likeness: f.pick('相似', { 1: '信用代码相同', 2: '名称相同', 3: '手机号相同', 4: '名称相近' }),
  },
  actions: {
    disable: { label: '停用', asksReason: true, reasonMsg: '请填写停用原因', tone: 'danger' },
    resetPwd: { label: '重置管理员密码', tone: 'danger', note: firstPasswordNote },
    merge: {
      label: '合并机构',
      tone: 'danger',
      asksReason: true,
      asks: {
        target_sn: f.ref('并入机构', 'organisation', {
          required: true,
          optionsFilter: { scope: 'all', system_type: '$system_type', status: 'enabled', except: '$org_sn' },
        }),
      },
    },
  },
  links: [
    {
      label: '交易关系',
      to: '/ptm/agencyManage/AgencyManagement',
      tab: '交易关系',
      with: { org_sn: '$org_sn', 'org_sn~': '$name' },
    },
  ],
  unique: [['system_type', 'social_credit_code']],
  search: ['name', 'alias', 'short_name', 'code', 'pinyin', 'social_credit_code'],
  parameters: {
    /** `all`: every approved organisation, to ask for a relation. */
    scope: f.pick('范围', { all: '全部' }),
    /** Partners in one direction of the trade. */
    /** All but this one. */
    except: f.text('除外机构', { max: 20 }),
    /** Adds to each row how likely it is the organisation of this registration. */
    resembles: f.text('注册申请', { max: 20 }),
    relation: f.pick('往来方向', { supplier: '供应商', customer: '客户', partner: '往来单位', sibling: '同类机构' }),
  },
  screens: [
    {
      route: '/ptm/agencyManage/AgencyManagement',
      tab: '机构',
      leads: true,
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
        'vip_level',
        'vip_until',
        'uses_system',
        'licence_state',
        'user_count',
        'partner_count',
        'status',
        'created_at',
      ],
      filters: [
        'name',
        'system_type',
        'social_credit_code',
        'division_name',
        'vip_level',
        'uses_system',
        'licence_state',
        'status',
        'created_at',
      ],
      actions: ['add', 'edit', 'enable', 'disable', 'resetPwd', 'merge'],
    },
  ],
})
