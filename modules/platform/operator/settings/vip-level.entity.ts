import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

const traders = { 1: '医院', 2: '经销商', 3: '厂商' } as const
const ways = { paid: '付费', trial: '试用' } as const

/** VIP等级: the rights that an organisation of a kind may have at each service level. */
export const vipLevel = defineEntity({
  kind: 'vipLevel',
  title: 'VIP等级',
  table: 'vip_level',
  key: 'vip_level_sn',
  scope: 'shared',
  writers: 'P',
  display: 'name',
  sort: 'system_type,code',
  fields: {
    code: f.count('等级编码', { required: true, min: '0', max: '99' }),
    name: f.text('等级名称', { required: true, max: 40 }),
    system_type: f.pick('机构类型', traders, { required: true }),
    annual_fee: f.amount('年费(元)', { min: '0' }),
    user_limit: f.count('用户数上限', { min: '1', hint: '留空表示不限' }),
    warehouse_limit: f.count('仓库数上限', { min: '1', hint: '留空表示不限' }),
    product_limit: f.count('产品数上限', { min: '1', hint: '留空表示不限' }),
    call_limit: f.count('接口调用额度/日', { min: '1', hint: '留空表示不限' }),
    sms_limit: f.count('短信额度/月', { min: '1', hint: '留空表示不限' }),
    storage_gb: f.quantity('附件空间(GB)', { min: '0.001', hint: '留空表示不限' }),
    trial_days: f.count('试用天数', { min: '1', max: '365' }),
    expire_mode: f.pick('到期处理', { degrade: '降级', readonly: '只读' }, { default: 'degrade' }),
    description: f.text('说明', { max: 200 }),
    status: statusField,
  },
  extras: { org_count: f.count('机构数'), bound_name: f.text('系统角色'), feature_scope: f.text('功能范围') },
  unique: [['system_type', 'code']],
  actions: {
    grant: {
      label: '开通/续期',
      asks: {
        org_sn: f.ref('机构', 'organisation', { required: true }),
        way: f.pick('开通方式', ways, { default: 'paid' }),
        until: f.day('到期日期', { hint: '试用留空时按试用天数' }),
        contract_no: f.text('合同号', { max: 60 }),
      },
    },
  },
  screens: [
    {
      route: '/ptm/vipLever',
      title: 'VIP等级',
      orgs: 'P',
      menu: '基础设置',
      purpose: '各类机构的服务等级：用户、仓库、产品、接口、短信与附件空间的上限，年费与到期后的处理',
      columns: [
        'code',
        'name',
        'system_type',
        'annual_fee',
        'user_limit',
        'warehouse_limit',
        'product_limit',
        'call_limit',
        'sms_limit',
        'storage_gb',
        'bound_name',
        'feature_scope',
        'expire_mode',
        'org_count',
        'status',
      ],
      filters: ['code', 'name', 'system_type', 'status'],
    },
  ],
})

/** 开通记录: which organisation was given the level, when, until when and under which contract. */
export const vipGrant = defineEntity({
  kind: 'vipGrant',
  title: '开通记录',
  table: 'vip_grant',
  key: 'vip_grant_sn',
  scope: 'shared',
  readOnly: true,
  under: 'vipLevel',
  display: 'contract_no',
  sort: '-vip_grant_sn',
  fields: {
    vip_level_sn: f.ref('VIP等级', 'vipLevel', { required: true }),
    granted_org_sn: f.ref('机构名称', 'organisation'),
    granted_on: f.day('开通日期'),
    until: f.day('到期日期'),
    way: f.pick('开通方式', ways),
    contract_no: f.text('合同号'),
    handled_by: f.text('经办人'),
  },
  screens: [],
})
