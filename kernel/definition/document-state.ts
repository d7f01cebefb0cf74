/** The states of every paper, in the order of its life. A definition may rename one for its readers, never add one. */
export const states = {
  draft: '草稿',
  submitted: '待审核',
  rejected: '已驳回',
  reviewed: '已审核',
  partial: '部分执行',
  completed: '已完成',
  stopped: '已终止',
  cancelled: '已作废',
  reversed: '已红冲',
} as const
export type State = keyof typeof states

/** States in which nothing of the paper stands in any ledger. */
export const unposted: readonly State[] = ['draft', 'submitted', 'rejected', 'cancelled']
/** States from which follow-up papers may take. */
export const open: readonly State[] = ['reviewed', 'partial']
/** States in which a paper counts as alive: it blocks the taking back of what it was made from. */
export const alive: readonly State[] = ['draft', 'submitted', 'rejected', 'reviewed', 'partial', 'completed']
