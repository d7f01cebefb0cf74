import { f } from '#kernel/definition/field.ts'
import { qualityStates } from '#kernel/ledger/posting.ts'

/** Shared line fields: groups of fields common to documents about goods, in the order of the grid. */

/** The requested goods: a model and its unit. */
export const askedGoods = {
  specification_sn: f.ref('规格型号', 'specification', { required: true, optionsFilter: { asked: 'true' } }),
  unit_inner_sn: f.ref('单位', 'unitTree'),
} as const

/** Goods received with a lot and both its dates. */
export const arrivingGoods = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  lot_no: f.lot('批号', { max: 40 }),
  production_date: f.day('生产日期'),
  expiry_date: f.expiry('有效期至'),
} as const

/**
 * The same for new documents without a source: what the organisation stopped in its own catalogue is no longer
 * offered.
 */
export const offeredGoods = {
  ...arrivingGoods,
  specification_sn: f.ref('规格型号', 'specification', { required: true, optionsFilter: { kept: 'true' } }),
} as const

/** Goods of a lot in stock. */
export const stockedGoods = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  lot_no: f.lot('批号', { max: 40 }),
  expiry_date: f.expiry('有效期至'),
} as const

/** Consigned goods that were used: on which day, by whom. */
export const usedGoods = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  used_on: f.day('使用日期'),
  use_department_inner_sn: f.ref('使用科室', 'department', { named: 'where the goods were used that are settled' }),
  lot_no: f.lot('批号', { max: 40 }),
  expiry_date: f.expiry('有效期至'),
} as const

/** Pieces by their codes, and their unit. */
export const pieces = (codes = '院内码') =>
  ({ unit_codes: f.codes(codes), unit_inner_sn: f.ref('单位', 'unitTree') }) as const

/** Lot of the sterilisation run. */
export const sterilised = { sterilisation_lot_no: f.lot('灭菌批号', { max: 40 }) } as const

/** The quantity in the entered unit; less than `min` is an error. */
export const counted = (label = '数量', min = '0.001') =>
  ({ quantity: f.quantity(label, { required: true, min }) }) as const

/** A required price incl. tax, and the tax rate it contains. */
export const priced = (label = '含税单价') =>
  ({ price: f.price(label, { required: true, min: '0' }), tax_rate: f.taxRate('税率') }) as const

/** An optional price: the system knows one. */
export const valued = (label = '含税单价') =>
  ({ price: f.price(label, { min: '0' }), tax_rate: f.taxRate('税率') }) as const

/** The cost of a piece, where a person enters it, and the tax rate that it contains. */
export const costed = { price: f.unitCost('成本单价', { min: '0' }), tax_rate: f.taxRate('税率') } as const

/** The cost of own and others' goods: an estimate until the review sets it. */
export const costedUse = (label = '含税单价') =>
  ({
    price: f.price(label, { readOnly: true, hint: '审核后：自有货物为库存成本，寄售与跟台货物为约定价' }),
    tax_rate: f.taxRate('税率', { readOnly: true }),
  }) as const

/** The owner of the goods, and their location. */
export const held = { owner_org_sn: f.ref('货主', 'organisation'), location: f.text('货位', { max: 40 }) } as const

/** The ways to dispose of goods that did not pass. */
export const dispositions = { return: '退货', exchange: '换货', destroy: '销毁', hold: '待处理' } as const
export const disposed = { disposition: f.pick('处置措施', dispositions) } as const

export const remarked = { remark: f.text('备注', { max: 200 }) } as const

/** Own goods by exactly the balance they are in, and their cost. */
export const costedGoods = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  lot_no: f.lot('批号', { max: 40 }),
  unit_codes: f.codes('院内码'),
  expiry_date: f.day('有效期至', { readOnly: true }),
  location: f.text('货位', { max: 40 }),
  owner_org_sn: f.ref('货主', 'organisation'),
  quality_state: f.pick('质量状态', qualityStates),
  unit_inner_sn: f.ref('单位', 'unitTree'),
  price: f.unitCost('成本单价', { readOnly: true }),
  taxed_amount: f.cost('成本金额', { readOnly: true }),
} as const

/** The label of a document's total where it is at cost. */
export const costAmount = f.cost('成本金额', { readOnly: true })
