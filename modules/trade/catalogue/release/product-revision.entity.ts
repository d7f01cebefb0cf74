import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { decisionActions, decisionFields } from '#modules/base/vocabulary/approval-fields.ts'
import { revisable } from '#modules/trade/catalogue/release/revisable-fields.ts'

const given = { readOnly: true } as const

/**
 * 产品变更: a new version of a released product that is audited again; until its batch is published everyone sees what
 * was released.
 */
export const productRevision = defineEntity({
  kind: 'productRevision',
  title: '产品变更申请',
  table: 'product_revision',
  key: 'product_revision_sn',
  scope: 'shared',
  writers: 'PV',
  display: 'code',
  sort: '-product_revision_sn',
  fields: {
    code: f.text('申请编号', given),
    product_sn: f.ref('产品', 'product', { ...given, shows: { product_code: 'code' } }),
    ...Object.fromEntries(Object.entries(revisable).map(([name, field]) => [name, { ...field, readOnly: true }])),
    note: f.text('变更说明', given),
    changed: f.text('变更项', given),
    before_text: f.text('变更前', { ...given, width: 240 }),
    after_text: f.text('变更后', { ...given, width: 240 }),
    ...decisionFields('审核', '已通过'),
    revision: f.count('生效版本', given),
    effective_at: f.instant('生效时间', given),
  },
  extras: { release_code: f.text('发布批次号') },
  search: ['code', 'changed', 'note'],
  actions: decisionActions,
  screens: [
    {
      route: '/ptm/productAudit',
      title: '产品审核',
      orgs: 'P',
      menu: '产品管理',
      tab: '产品变更',
      purpose: '已发布产品的变更：审核通过后随发布批次生效，此前的单据仍显示原名称',
      columns: [
        'code',
        'product_code',
        'product_sn',
        'changed',
        'before_text',
        'after_text',
        'note',
        'applied_by',
        'applied_at',
        'state',
        'release_code',
        'revision',
        'effective_at',
        'decided_by',
        'decided_at',
        'reason',
      ],
      filters: ['product_name', 'changed', 'applied_at', 'state'],
      actions: ['review', 'reject'],
      waits: { action: 'review', text: '产品变更待审核', orgs: 'P', where: { state: 'pending' } },
    },
    {
      route: '/ptm/productBuild',
      title: '产品建档',
      orgs: 'PV',
      menu: '产品管理',
      tab: '变更申请',
      purpose: '本企业已发布产品的变更申请与结果',
      columns: [
        'code',
        'product_code',
        'product_sn',
        'changed',
        'before_text',
        'after_text',
        'note',
        'applied_at',
        'state',
        'release_code',
        'revision',
        'effective_at',
        'decided_at',
        'reason',
      ],
      filters: ['product_name', 'applied_at', 'state'],
      actions: [],
    },
  ],
})
