import { f } from '#kernel/field.ts'

/** 产品类别 of an authorisation: a code of either catalogue of devices, at any level. */
export const classOfGoods = f.text('产品类别', {
  max: 12,
  match: /^(68\d{2}(-[0-9R]\d?){0,2}|\d{2}(-\d{2}){0,2})$/,
  matchMsg: '产品类别填写分类目录的编码，如6815、14或14-01',
  hint: '分类目录的编码，如6815、14或14-01',
  width: 90,
})
