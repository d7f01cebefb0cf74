import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import { relationCodes } from '#kernel/organisation.ts'

const relationNames = Object.fromEntries(relationCodes.map(code => [code, code])) as Record<
  (typeof relationCodes)[number],
  string
>

/** 相关机构: the partners an organisation trades with, under which relation and on which terms. Each side has its own row. */
export const orgRelation = defineEntity({
  kind: 'orgRelation',
  title: '相关机构',
  table: 'org_relation',
  key: 'relation_sn',
  scope: 'organisation',
  writers: 'HDV',
  display: 'relation',
  fields: {
    partner_sn: f.ref('机构', 'organisation', {
      required: true,
      narrow: { scope: 'all' },
      shows: { partner_code: 'code', social_credit_code: 'social_credit_code', address: 'address', alias: 'alias' },
    }),
    relation: f.pick('关系类型', relationNames, {
      required: true,
      hint: '前一位是买方，后一位是卖方的类型：D 经销商，V 厂商，H 医院',
    }),
    default_tax_rate: f.taxRate('默认税率', { default: 13 }),
    settlement_method: f.pick('结算方式', { monthly: '月结', cash: '现结', none: '不结算' }, { default: 'monthly' }),
    payment_days: f.count('账期(天)', { min: '0', max: 720, default: 0 }),
    credit_limit: f.amount('信用额度', { min: '0' }),
    contact: f.text('联系人', { max: 40 }),
    phone: f.text('联系电话', { max: 20 }),
    authorisation_no: f.text('授权书编号', { max: 60 }),
    valid_from: f.day('生效日期'),
    valid_to: f.day('有效期至'),
    remark: f.text('备注', { max: 200 }),
    status: f.pick(
      '状态',
      { enabled: '启用', disabled: '停用', pending: '待审核', refused: '未通过' },
      { readOnly: true, default: 'pending' },
    ),
  },
  extras: {
    org_sn: f.ref('机构', 'organisation'),
    name: f.text('机构名称'),
    system_type: f.count('机构类型'),
    direction: f.pick('申请方向', { incoming: '对方申请', outgoing: '我方申请' }),
  },
  actions: { review: { label: '审核', tone: 'primary' }, reject: { label: '驳回', asksReason: true, tone: 'danger' } },
  unique: [['partner_sn', 'relation']],
  guards: [row => !row.valid_from || !row.valid_to || row.valid_to > row.valid_from || '有效期至必须晚于生效日期'],
  search: ['name', 'alias', 'social_credit_code'],
  screens: [
    {
      route: '/commonView/agencyManage/AgencyManagementNew',
      title: '相关机构管理',
      orgs: 'HDV',
      menu: '机构管理',
      purpose: '往来的供应商与客户：关系、税率、账期与授权',
      columns: [
        'partner_code',
        'partner_sn',
        'alias',
        'system_type',
        'relation',
        'social_credit_code',
        'contact',
        'phone',
        'default_tax_rate',
        'settlement_method',
        'payment_days',
        'credit_limit',
        'authorisation_no',
        'valid_to',
        'status',
      ],
      filters: ['name', 'social_credit_code', 'system_type', 'relation', 'status'],
      actions: ['add', 'edit', 'del', 'enable', 'disable'],
    },
    {
      route: '/commonView/agencyManage/ReviewOrg',
      title: '机构关系审核',
      orgs: 'HDV',
      menu: '机构管理',
      purpose: '其他机构申请与我方建立关系，在这里通过或驳回',
      columns: [
        'partner_sn',
        'system_type',
        'relation',
        'social_credit_code',
        'direction',
        'contact',
        'phone',
        'remark',
        'status',
      ],
      filters: ['name', 'system_type', 'relation', 'social_credit_code', 'status'],
      where: { direction: 'incoming' },
      actions: ['review', 'reject'],
    },
  ],
})
