import { f } from '#kernel/definition/field.ts'
import { type Has } from '#modules/base/vocabulary/validators.ts'

/** The notes of the owner of used goods on its usage report: whether it ships more, and by which order. */
export const refillFields = {
  replenish_state: f.pick('补货状态', { '1': '未补货', '2': '已生成补货' }, { readOnly: true, dialogOnly: true }),
  replenish_sn: f.text('补货销售订单', { readOnly: true, dialogOnly: true, width: 150 }),
  compare_state: f.pick('对账标记', { '1': '未对账', '2': '已对账' }, { readOnly: true, dialogOnly: true }),
}

const onReport = { from: ['reviewed', 'partial', 'completed'], to: null, by: 'counterparty', localOnly: true } as const
type Report = Has<'compare_state' | 'replenish_state' | 'report_basis'>
const isCompared = (doc: Report): boolean => doc.compare_state === '2'

/** The owner's action on the report; the hospital sees it by the order. */
export const replenish = {
  ...onReport,
  label: '生成补货销售订单',
  tone: 'primary',
  sets: { replenish_state: '2' },
  // An organisation that only made the goods did not supply them, and ships no more.
  unavailableWhen: { report_basis: ['made'] },
  guards: [
    (doc: Report) => doc.replenish_state !== '2' || '所选记录已生成补货',
    (doc: Report) => doc.report_basis !== 'made' || '货物由其他单位供应，请由供货单位补货',
  ],
} as const

/** The owner ticks off what agrees with its own books; the tick is visible to the owner only. */
export const comparing = {
  compare: {
    ...onReport,
    label: '对账标记',
    sets: { compare_state: '2' },
    guards: [(doc: Report) => !isCompared(doc) || '该使用记录已对账'],
  },
  uncompare: {
    ...onReport,
    label: '取消对账标记',
    sets: { compare_state: null },
    guards: [(doc: Report) => isCompared(doc) || '该使用记录尚未对账'],
  },
} as const
