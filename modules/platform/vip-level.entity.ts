import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import { statusField } from '#modules/on-off.ts'

const traders = { 1: '医院', 2: '经销商', 3: '厂商' } as const

/** VIP等级: what an organisation of a kind may have at each level of service. */
export const vipLevel = defineEntity({
  kind: 'vipLevel',
  title: 'VIP等级',
  table: 'vip_level',
  key: 'vip_level_sn',
  scope: 'shared',
  writers: 'P',
  display: 'name',
  retire: 'disable',
  sort: 'system_type,code',
  fields: {
    code: f.count('等级编码', { required: true, min: '0', max: '99' }),
    name: f.text('等级名称', { required: true, max: 40 }),
    system_type: f.pick('机构类型', traders, { required: true }),
    annual_fee: f.amount('年费(元)', { min: '0' }),
    user_limit: f.count('用户数上限', { min: '1', hint: '不填表示不限' }),
    warehouse_limit: f.count('仓库数上限', { min: '1', hint: '不填表示不限' }),
    expire_mode: f.pick('到期处理', { degrade: '降级', readonly: '只读' }, { default: 'degrade' }),
    description: f.text('说明', { max: 200 }),
    status: statusField,
  },
  extras: { org_count: f.count('机构数') },
  unique: [['system_type', 'code']],
  actions: {
    grant: {
      label: '开通/续期',
      asks: { org_sn: f.ref('机构', 'organisation', { required: true }), until: f.day('到期日期', { required: true }) },
    },
  },
  screens: [
    {
      route: '/ptm/vipLever',
      title: 'VIP等级',
      orgs: 'P',
      menu: '基础设置',
      purpose: '各类机构的服务等级：用户数、仓库数上限、年费与到期后的处理',
      columns: [
        'code',
        'name',
        'system_type',
        'annual_fee',
        'user_limit',
        'warehouse_limit',
        'expire_mode',
        'org_count',
        'status',
      ],
      filters: ['code', 'name', 'system_type', 'status'],
    },
  ],
})
