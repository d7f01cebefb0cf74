/** 结算依据: which event makes consigned goods due for settlement. One more is one more line. */
export const settleBases = { use: '按使用', grant: '按发放', charge: '按HIS计费' } as const
export type SettleBase = keyof typeof settleBases

/** The basis behind the word that people choose. */
export const settleBaseOf = (word: string): SettleBase =>
  (Object.entries(settleBases) as [SettleBase, string][]).find(([, title]) => title === word)?.[0] ?? 'use'
