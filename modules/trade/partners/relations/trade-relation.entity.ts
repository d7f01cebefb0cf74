import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { relationNames } from '#kernel/values/organisation-type.ts'

const types = { 1: '医院', 2: '经销商', 3: '厂商' } as const

/** 交易关系: who trades with whom, as the platform sees it. Further terms between the two are visible only to them. */
export const tradeRelation = defineEntity({
  kind: 'tradeRelation',
  title: '交易关系',
  table: 'org_relation',
  key: 'trade_relation_sn',
  scope: 'shared',
  writers: 'P',
  readOnly: true,
  display: 'org_sn',
  sort: 'org_sn',
  fields: {
    org_sn: f.ref('机构', 'organisation'),
    relation: f.pick('关系类型', relationNames),
    partner_sn: f.ref('交易机构', 'organisation', {
      shows: { partner_code: 'code', social_credit_code: 'social_credit_code' },
    }),
    authorisation_no: f.text('授权书编号'),
    valid_from: f.day('生效日期'),
    valid_to: f.day('有效期至'),
    applied_at: f.instant('申请日期'),
    end_reason: f.text('终止原因'),
    status: f.pick('状态', {
      enabled: '启用',
      disabled: '停用',
      pending: '待审核',
      refused: '未通过',
      ended: '已终止',
    }),
  },
  extras: {
    org_type: f.pick('机构类型', types),
    partner_type: f.pick('交易机构类型', types),
    partner_name: f.text('交易机构'),
  },
  search: ['org_name', 'partner_name'],
  screens: [
    {
      route: '/ptm/agencyManage/AgencyManagement',
      tab: '交易关系',
      title: '机构管理',
      orgs: 'P',
      menu: '机构管理',
      purpose: '机构之间的交易关系：由双方自行建立、停用与终止，平台只查看',
      columns: [
        'org_sn',
        'org_type',
        'relation',
        'partner_sn',
        'partner_code',
        'partner_type',
        'social_credit_code',
        'authorisation_no',
        'valid_from',
        'valid_to',
        'applied_at',
        'status',
        'end_reason',
      ],
      filters: ['org_sn', 'org_type', 'relation', 'partner_name', 'partner_type', 'valid_to', 'status'],
    },
  ],
})
