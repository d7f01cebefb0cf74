import { f } from '#kernel/definition/field.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { costAmount, costedGoods } from '#modules/base/vocabulary/line-fields.ts'

/** Lines of goods in transit between two warehouses: what was sent, at the cost it left with. */
export const onTheWay = {
  ...costedGoods,
  to_location: f.text('调入货位', { max: 40 }),
} as const

/** The transfer the goods come from, and the receiver. */
export const arrivalHeader = {
  from_warehouse_inner_sn: f.ref('调出仓库', 'warehouse', { named: 'the goods left it by the transfer' }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  taxed_amount: costAmount,
  remark: f.longText('备注', { max: 500 }),
} as const

/** The two ways out of transit share the remainder of each line. */
export const ofTransfer = {
  from: 'transfer',
  sourceType: sourceTypes.ALLOT,
  eligible: { header: { transfer_type: ['allot', 'borrow'] }, message: '移库一步到位，没有收货环节' },
  overdrawnMessage: '数量不能大于在途数量{n}',
} as const

/** Transfers that left for another warehouse or organisation, and may come back. */
export const wentAway = {
  header: { transfer_type: ['allot', 'borrow', 'across'] },
  message: '移库一步到位，没有在途货物',
} as const

export const arrivalColumns = [
  'sn',
  'source_sn',
  'from_warehouse_inner_sn',
  'warehouse_model_inner_sn',
  'line_count',
  'total_quantity',
  'taxed_amount',
  'handler_inner_sn',
  'business_date',
  'created_at',
  'reviewed_by_name',
  'reviewed_at',
  'state',
] as const
export const arrivalFilters = [
  'sn',
  'source_sn',
  'from_warehouse_inner_sn',
  'warehouse_model_inner_sn',
  'specification_sn',
  'lot_no',
  'unit_code',
  'business_date',
  'state',
] as const
