import { f } from '#kernel/definition/field.ts'

/** The accounting status of a document. */
export const voucherFields = {
  record_state: f.pick('记账状态', { '1': '未记账', '2': '已记账' }, { readOnly: true, default: '1' }),
  voucher_no: f.text('凭证号', { max: 40 }),
  accounting_period: f.text('会计期间', { max: 7, match: /^\d{4}-\d{2}$/, matchMsg: '会计期间格式为 2026-01' }),
  recorded_by: f.text('记账人', { readOnly: true }),
  recorded_at: f.instant('记账时间', { readOnly: true }),
} as const

/** Recording under a voucher, and undoing it. */
export const recording = {
  record: {
    label: '记账',
    from: ['reviewed', 'partial', 'completed'],
    to: null,
    inputs: ['accounting_period', 'voucher_no'],
    sets: { record_state: '2' },
  },
  unrecord: {
    label: '取消记账',
    from: ['reviewed', 'partial', 'completed'],
    to: null,
    requiresReason: true,
    sets: { record_state: '1', recorded_by: null, recorded_at: null },
  },
} as const
