import { f } from '#kernel/definition/field.ts'
import { needs } from '#modules/base/vocabulary/validators.ts'

/** The input when the warehouse takes another lot than was reserved; entered in the dialog and cleared afterwards. */
export const swapFields = {
  swap_line_no: f.count('行号', { dialogOnly: true, min: '1', hint: '要换批次的明细行' }),
  swap_lot_no: f.lot('换为批号', { dialogOnly: true, max: 40 }),
  swap_codes: f.pieces('换为院内码', { dialogOnly: true, hint: '一物一码的货物扫描要换的院内码' }),
  swap_reason: f.text('换批原因', { dialogOnly: true, max: 100 }),
}

/** 换批次: on an issue waiting at the counter, or on a picking list. */
export const swapLot = {
  label: '换批次',
  from: ['submitted'],
  to: null,
  inputs: ['swap_line_no', 'swap_lot_no', 'swap_codes', 'swap_reason'],
  guards: [needs('swap_line_no', '请填写要换批次的行号'), needs('swap_reason', '请填写换批原因')],
} as const
