import { type Has } from '#modules/base/vocabulary/validators.ts'

/** The faults that a delivery may have on arrival. */
export const abnormalities = {
  temperature: '温度异常',
  licences: '证照异常',
  short_life: '近效期',
  packing: '包装破损',
  mismatch: '单货不符',
} as const
/** The decision of quality on an abnormal line. */
export const decisions = { pending: '待处理', hold: '待查', pass: '放行', refuse: '拒收' } as const

/** An opinion must be longer than a word or two. */
export const opinion = (doc: Has<'quality_opinion'>): true | string =>
  String(doc.quality_opinion ?? '').length >= 5 || '请填写处理意见（至少5个字）'
/** The user who received the goods may not decide on their faults. */
export const notOwnArrival = (doc: Has<'handler_inner_sn' | 'quality_handler_inner_sn'>): true | string =>
  !doc.handler_inner_sn || doc.quality_handler_inner_sn !== doc.handler_inner_sn || '收货员不能处理本人收货的质量异常'
