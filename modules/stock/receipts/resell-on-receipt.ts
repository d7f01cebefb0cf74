import { f } from '#kernel/definition/field.ts'
import { needs } from '#modules/vocabulary/validators.ts'

/** To whom a dealer sells on what a receipt brought, and by which delivery. */
export const soldOnFields = {
  sale_customer_sn: f.ref('销售客户', 'organisation', { dialogOnly: true, optionsFilter: { relation: 'customer' } }),
  sale_sn: f.text('销售出库单', { readOnly: true, dialogOnly: true, width: 150 }),
}

/** 生成销售出库: the draft of a delivery over what of the receipt still lies in its store. */
export const toSale = {
  label: '生成销售出库',
  from: ['reviewed', 'partial', 'completed'],
  to: null,
  inputs: ['sale_customer_sn'],
  guards: [needs('sale_customer_sn', '请选择销售客户')],
} as const

/** To which ward a hospital hands on what a receipt brought, and by which grant. */
export const grantedOnFields = {
  grant_to_sn: f.ref('领入仓库', 'warehouse', { dialogOnly: true, optionsFilter: { model: 'ward' } }),
  grant_sn: f.text('发放出库单', { readOnly: true, dialogOnly: true, width: 150 }),
}

/** 直接发放: the draft of a grant over what of the receipt still lies in its store. */
export const toGrant = {
  label: '直接发放',
  from: ['reviewed', 'partial', 'completed'],
  to: null,
  inputs: ['grant_to_sn'],
  guards: [needs('grant_to_sn', '请选择领入仓库')],
} as const
