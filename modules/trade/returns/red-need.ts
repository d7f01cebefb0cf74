/** Progress of the red invoice a return needs: what was never invoiced needs none. */
export const redWords = {
  label: '发票状态',
  choices: { 1: '待红字', 2: '部分待红字', 3: '无待开红字' },
} as const
