import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { adjustReasons } from '#modules/trade/purchasing/prices/price-adjustment.doc.ts'

const columns = [
  'product_name',
  'specification_sn',
  'price_kind',
  'supplier_sn',
  'old_price',
  'new_price',
  'change_rate',
  'valid_from',
  'adjust_reason',
  'document_sn',
  'changed_by',
  'changed_at',
  'applied_at',
] as const
const filters = ['specification_sn', 'supplier_sn', 'price_kind', 'adjust_reason', 'valid_from', 'document_sn'] as const

/** 价格历史: each product's cost and charge prices, their effective dates, and the price document. */
export const priceHistory = defineEntity({
  kind: 'priceHistory',
  title: '价格历史',
  table: 'price_history',
  key: 'price_history_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'document_sn',
  fields: {
    specification_sn: f.ref('规格型号', 'specification'),
    price_kind: f.pick(
      '价格种类',
      { purchase: '进价', charge: '收费价', sale: '销售价' },
      { choiceOrgs: { charge: 'H', sale: 'DV' } },
    ),
    supplier_sn: f.ref('供应商', 'organisation'),
    old_price: f.price('原价'),
    new_price: f.price('新价'),
    change_rate: f.rate('变动幅度'),
    valid_from: f.day('生效日期'),
    adjust_reason: f.pick('调价原因', adjustReasons),
    document_sn: f.text('调价单号', { width: 150 }),
    changed_by: f.text('审核人'),
    changed_at: f.instant('审核时间'),
    applied_at: f.instant('执行时间'),
  },
  extras: { product_name: f.text('产品名称') },
  search: ['document_sn'],
  sort: '-valid_from,-price_history_sn',
  screens: [
    {
      route: '/hospital/priceAdjustmentRecords',
      tab: '价格历史',
      title: '调价记录',
      orgs: 'H',
      menu: '产品管理',
      purpose: '各产品的历次价格、生效日期与调价单',
      columns,
      filters,
    },
    {
      route: '/ptm/businessProduct',
      tab: '价格历史',
      title: '经营产品',
      orgs: 'DV',
      menu: '产品管理',
      purpose: '各经营产品的历次价格、生效日期与调价单',
      columns,
      filters,
    },
  ],
})
