import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { decisionActions, decisionFields } from '#modules/base/vocabulary/approval-fields.ts'

const given = { readOnly: true } as const
const page = {
  columns: [
    'product_code',
    'product_sn',
    'specification_sn',
    'primary_di',
    'said',
    'note',
    'applied_by',
    'applied_at',
    'state',
    'decided_by',
    'decided_at',
    'reason',
  ],
  filters: ['product_name', 'specification_name', 'primary_di', 'state', 'applied_at'],
} as const

/**
 * UDI采纳: the regulator's data of a specification is to be copied into the catalogue; a second person at the platform
 * approves it.
 */
export const udiAdoption = defineEntity({
  kind: 'udiAdoption',
  title: 'UDI采纳申请',
  table: 'udi_adoption',
  key: 'udi_adoption_sn',
  scope: 'shared',
  writers: 'P',
  display: 'primary_di',
  sort: '-udi_adoption_sn',
  fields: {
    product_sn: f.ref('产品', 'product', { ...given, shows: { product_code: 'code' } }),
    specification_sn: f.ref('规格型号', 'specification', given),
    primary_di: f.text('UDI-DI', { ...given, width: 170 }),
    said: f.text('采纳内容', { ...given, width: 360 }),
    note: f.text('说明', given),
    ...decisionFields('审核', '已采纳'),
  },
  search: ['primary_di', 'said', 'product_name'],
  actions: decisionActions,
  screens: [
    {
      ...page,
      route: '/ptm/productAudit',
      title: '产品审核',
      orgs: 'P',
      menu: '产品管理',
      tab: 'UDI采纳',
      purpose: '药监局UDI数据写入目录前，由第二人审核',
      actions: ['review', 'reject'],
      waits: { action: 'review', text: 'UDI采纳待审核', orgs: 'P', where: { state: 'pending' } },
    },
    {
      ...page,
      route: '/ptm/productReleased',
      title: '已发布产品',
      orgs: 'V',
      menu: '产品管理',
      tab: 'UDI采纳',
      purpose: '本厂产品提交的UDI采纳及平台的答复',
      actions: [],
    },
  ],
})
