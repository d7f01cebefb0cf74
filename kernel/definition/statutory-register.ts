/**
 * The registers that organisations trading devices must keep for the authorities, with names and licences as of that
 * day. Source: 医疗器械经营质量管理规范, on purchase and sales records.
 */
export const registers = { purchase: '采购记录', sale: '销售记录' } as const
export type Register = keyof typeof registers

/** The kinds of entries of the register. */
export const recordTypes = {
  purchase: '采购',
  sale: '普通销售',
  advance: '预销售转销售',
  surgery: '骨科跟台销售',
  consigned: '寄售发货',
  settled: '寄售结算销售',
  returned: '销售退货',
} as const
export type RecordType = keyof typeof recordTypes

/** The rows that a kind of document writes once it counts: one per line, returns with a minus. */
export type Registering<D> = {
  readonly in: Register
  /** `counterparty`: when the other side's document arrives here. */
  readonly role: 'own' | 'counterparty'
  readonly type: (doc: D) => RecordType
}
