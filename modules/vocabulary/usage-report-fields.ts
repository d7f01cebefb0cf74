import { f } from '#kernel/definition/field.ts'
import { own } from '#modules/vocabulary/validators.ts'

/** What its reader has to do with the goods of a report of use. */
export const reportBases = {
  consigned: '我方寄售',
  supplied: '医院买断',
  made: '他方供货',
  mixed: '多种',
} as const

/** How far the owner's goods of a report are settled. */
export const settledStages = {
  none: '无需结算',
  open: '未结算',
  waiting: '待结算',
  part: '部分结算',
  settled: '已结算',
  invoiced: '已开票',
  netted: '已冲抵',
} as const

/** What a report of use says to whoever owned, supplied or made the goods; the hospital's own paper has none of it. */
export const reportFields = {
  counterparty_sn: f.ref('医院', 'organisation', { readOnly: true, dialogOnly: true }),
  report_basis: f.pick('货主类型', reportBases, { readOnly: true, dialogOnly: true }),
  settled_stage: f.pick('结算状态', settledStages, {
    readOnly: true,
    dialogOnly: true,
    tones: { settled: 'success', invoiced: 'success', waiting: 'info', part: 'warning' },
  }),
}

/** A maker sees quantities and codes, and no price between others: the columns are not there. */
export const withoutOthersPrices = (doc: Readonly<Record<string, unknown>>): readonly string[] =>
  own(doc, 'report_basis') === 'made' ? ['price', 'tax_rate', 'untaxed_amount', 'tax_amount', 'taxed_amount'] : []
