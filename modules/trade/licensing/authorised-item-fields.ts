import { f } from '#kernel/definition/field.ts'

/** The code of a device class in either catalogue, at any level. */
export const CLASS_CODE = /^(68\d{2}(-[0-9R]\d?){0,2}|\d{2}(-\d{2}){0,2})$/

/** The goods of an authorisation line: a product, all of a manufacturer, a class. */
export const authorisedGoods = {
  product_sn: f.ref('授权产品', 'product', {
    optionsFilter: { manufacturer_sn: '$manufacturer_sn' },
    hint: '不选表示生产厂家或类别内的全部产品',
  }),
  manufacturer_sn: f.ref('生产厂家', 'organisation', {
    optionsFilter: { scope: 'all', system_type: '3' },
    hint: '授权该企业的全部产品时选择',
    width: 150,
  }),
  class_code: f.text('产品类别', {
    max: 12,
    match: CLASS_CODE,
    matchMsg: '产品类别填写分类目录的编码，如6815、14或14-01',
    hint: '分类目录的编码，如6815、14或14-01',
    width: 90,
  }),
} as const
