/** 结算依据: which event makes consigned goods due for settlement. One more is one more line. */
export const settleBases = { use: '按使用', grant: '按发放', charge: '按HIS计费' } as const
export type SettleBase = keyof typeof settleBases

/** 跟台结算依据: whether goods lent for an operation are owed by the receipt of what was sold, or by the month. */
export const loanBases = { receipt: '按骨科采购入库', month: '按月结算' } as const

/** The basis behind the word that people choose. */
export const settleBaseOf = (word: string): SettleBase =>
  (Object.entries(settleBases) as [SettleBase, string][]).find(([, title]) => title === word)?.[0] ?? 'use'
