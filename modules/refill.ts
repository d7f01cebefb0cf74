import { f } from '#kernel/field.ts'
import { own } from '#modules/guards.ts'

/** What the owner of used goods notes on his report of use: whether he sends more, and by which order. */
export const refillFields = {
  replenish_state: f.pick('补货状态', { '1': '未补货', '2': '已生成补货' }, { readOnly: true, asked: true }),
  replenish_sn: f.text('补货销售订单', { readOnly: true, asked: true, width: 150 }),
}

/** His deed on the report; the hospital learns of it by the order. */
export const replenish = {
  label: '生成补货销售订单',
  from: ['reviewed', 'partial', 'completed'],
  to: null,
  by: 'counterparty',
  quiet: true,
  tone: 'primary',
  sets: { replenish_state: '2' },
  guards: [(doc: object) => own(doc, 'replenish_state') !== '2' || '所选记录已生成补货'],
} as const
