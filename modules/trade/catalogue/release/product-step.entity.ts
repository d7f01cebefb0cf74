import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { productStates } from '#modules/trade/catalogue/products/product.entity.ts'

/** 状态记录: each step of a product's life cycle, by whom and when. */
export const productStep = defineEntity({
  kind: 'productStep',
  title: '状态记录',
  table: 'product_step',
  key: 'product_step_sn',
  scope: 'shared',
  readOnly: true,
  under: 'product',
  display: 'action',
  sort: '-product_step_sn',
  fields: {
    product_sn: f.ref('产品', 'product', { required: true }),
    at: f.instant('时间'),
    action: f.text('操作'),
    from_state: f.pick('原状态', productStates),
    to_state: f.pick('新状态', productStates),
    by_name: f.text('经手人'),
    note: f.text('意见', { width: 240 }),
  },
  screens: [],
})
