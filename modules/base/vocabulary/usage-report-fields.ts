import { f } from '#kernel/definition/field.ts'

/** The reader's relation to the goods of a usage report. */
export const reportBases = {
  consigned: '我方寄售',
  supplied: '医院买断',
  made: '他方供货',
  mixed: '多种',
} as const

/** The settlement progress of the owner's goods on a report. */
export const settledStages = {
  none: '无需结算',
  open: '未结算',
  granted: '已按发放结算',
  waiting: '待结算',
  part: '部分结算',
  settled: '已结算',
  invoiced: '已开票',
  netted: '已冲抵',
} as const

/**
 * The fields of a usage report for the owner, supplier or manufacturer of the goods; the hospital's own document has
 * none of them.
 */
export const reportFields = {
  counterparty_sn: f.ref('医院', 'organisation', { readOnly: true, dialogOnly: true }),
  report_basis: f.pick('货主类型', reportBases, { readOnly: true, dialogOnly: true }),
  settled_stage: f.pick('结算状态', settledStages, {
    readOnly: true,
    dialogOnly: true,
    tones: { granted: 'success', settled: 'success', invoiced: 'success', waiting: 'info', part: 'warning' },
  }),
}

/** The quantity of a used line that was settled when it was granted: no more is due for it. */
export const grantedField = { granted_quantity: f.quantity('已按发放结算数量', { readOnly: true }) } as const

/** The way in which use is reported, and what follows when it was reversed. */
export const usageReport = { momentField: 'used_at', reversedTitle: '使用记录已冲减' } as const

/** A manufacturer sees quantities and codes, and no prices between others: the columns are not there. */
export const withoutOthersPrices = (doc: Readonly<Record<string, unknown>>): readonly string[] =>
  doc.report_basis === 'made' ? ['price', 'tax_rate', 'untaxed_amount', 'tax_amount', 'taxed_amount'] : []
