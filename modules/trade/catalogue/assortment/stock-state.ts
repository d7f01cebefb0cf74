import { f } from '#kernel/definition/field.ts'

/** The stock of a row of a catalogue against its limits. */
export const stockState = f.pick(
  '库存状态',
  { none: '无库存', low: '低于下限', normal: '正常', high: '高于上限' },
  { tones: { none: 'danger', low: 'warning', normal: 'success', high: 'info' } },
)
