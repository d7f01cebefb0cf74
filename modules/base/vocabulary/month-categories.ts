/** The kinds of things that may be open at the end of a month. */
export const monthCategories = {
  unreviewed: '未审核单据',
  unmatched: '未核销收款',
  uncharged: '未计费使用',
  difference: '往来差异',
} as const
export type MonthCategory = keyof typeof monthCategories

/** The effect of open things of a kind on the closing of their month. */
export const closeControls = { refuse: '禁止结账', warn: '提醒', off: '不影响' } as const
