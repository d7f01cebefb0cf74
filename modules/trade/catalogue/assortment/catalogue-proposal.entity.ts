import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { decisionFields } from '#modules/base/vocabulary/approval-fields.ts'

const given = { readOnly: true } as const

/**
 * 变更建议: a change to the hospital's catalogue that a supplier requested and the hospital approved; the catalogue
 * changes when a user adopts it.
 */
export const catalogueProposal = defineEntity({
  kind: 'catalogueProposal',
  title: '目录变更建议',
  table: 'catalogue_proposal',
  key: 'catalogue_proposal_sn',
  scope: 'organisation',
  display: 'code',
  sort: '-catalogue_proposal_sn',
  fields: {
    code: f.text('建议编号', { ...given, width: 170 }),
    proposal_type: f.pick('建议类型', { change: '产品信息变更', consign: '寄售申请' }, { ...given, width: 120 }),
    specification_sn: f.ref('规格型号', 'specification', { ...given, shows: { specification_code: 'code' } }),
    supplier_sn: f.ref('供应商', 'organisation', given),
    changed_field: f.text('变更字段', given),
    old_value: f.text('原值', given),
    new_value: f.text('申请值', given),
    application_sn: f.text('申请单号', { ...given, width: 150 }),
    effect: f.text('处理结果', { ...given, width: 220 }),
    ...decisionFields('审核', '已采纳'),
  },
  extras: { product_name: f.text('产品名称', { width: 200 }) },
  search: ['code', 'application_sn', 'product_name'],
  actions: {
    review: { label: '采纳', tone: 'primary' },
    reject: { label: '不采纳', asksReason: true, reasonMsg: '请填写不采纳原因', tone: 'danger' },
  },
  links: [{ label: '申请单', to: '/hospital/hApplicationManage', with: { sn: '$application_sn' } }],
  screens: [
    {
      route: '/hospital/hProductDetails',
      tab: '变更建议',
      title: '医院产品目录',
      orgs: 'H',
      menu: '产品管理',
      purpose: '供应商申请中已通过的信息变更与寄售：采纳后写入本院目录',
      columns: [
        'code',
        'state',
        'proposal_type',
        'specification_code',
        'product_name',
        'specification_sn',
        'supplier_sn',
        'changed_field',
        'old_value',
        'new_value',
        'application_sn',
        'applied_at',
        'effect',
        'decided_by',
        'decided_at',
        'reason',
      ],
      filters: ['code', 'proposal_type', 'product_name', 'supplier_sn', 'application_sn', 'state'],
      actions: ['review', 'reject'],
      counted: { state: 'pending' },
      waits: { action: 'review', text: '目录变更建议待采纳', orgs: 'H', where: { state: 'pending' } },
    },
  ],
})
