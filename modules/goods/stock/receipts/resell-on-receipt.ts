import { f } from '#kernel/definition/field.ts'
import { needs } from '#modules/base/vocabulary/validators.ts'

/** The customer to whom a dealer sells received goods, and the number of the delivery. */
export const soldOnFields = {
  sale_customer_sn: f.ref('销售客户', 'organisation', { dialogOnly: true, optionsFilter: { relation: 'customer' } }),
  sale_sn: f.text('销售出库单', { readOnly: true, dialogOnly: true, width: 150 }),
}

/** 生成销售出库: a draft delivery over what of the receipt is still in its warehouse. */
export const toSale = {
  label: '生成销售出库',
  from: ['reviewed', 'partial', 'completed'],
  to: null,
  inputs: ['sale_customer_sn'],
  guards: [needs('sale_customer_sn', '请选择销售客户')],
} as const

/** To which ward a hospital issues what a receipt brought, and by which issue. */
export const grantedOnFields = {
  grant_to_sn: f.ref('领入仓库', 'warehouse', {
    dialogOnly: true,
    optionsFilter: { model: 'ward' },
    named: 'the issue that is made for it is reviewed, and received there',
  }),
  grant_sn: f.text('发放出库单', { readOnly: true, dialogOnly: true, width: 150 }),
}

/** 直接发放: a draft issue over what of the receipt is still in its warehouse. */
export const toGrant = {
  label: '直接发放',
  from: ['reviewed', 'partial', 'completed'],
  to: null,
  inputs: ['grant_to_sn'],
  guards: [needs('grant_to_sn', '请选择领入仓库')],
} as const
