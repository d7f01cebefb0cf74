import { f } from '#kernel/definition/field.ts'

const given = { readOnly: true } as const

/**
 * Fields of a record that one user requests and another decides; `word` is the term for deciding, `passed` for
 * approval.
 */
export const decisionFields = (word: '审核' | '审批', passed: string) => ({
  applied_by: f.text('提交人', given),
  applied_at: f.instant('提交时间', given),
  state: f.pick(`${word}状态`, { pending: `待${word}`, passed, refused: '已驳回' }, { ...given, default: 'pending' }),
  decided_by: f.text(`${word}人`, given),
  decided_at: f.instant(`${word}时间`, given),
  reason: f.text('驳回原因', given),
})

/** The decision: passed, or refused with a reason. */
export const decisionActions = {
  review: { label: '审核', tone: 'primary' },
  reject: { label: '驳回', asksReason: true, reasonMsg: '请填写驳回原因', tone: 'danger' },
} as const
