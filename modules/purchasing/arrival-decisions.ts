/** What may be wrong with a delivery at the door. */
export const abnormalities = {
  temperature: '温度异常',
  papers: '证照异常',
  short_life: '近效期',
  packing: '包装破损',
  mismatch: '单货不符',
} as const
/** What quality says of a line that something is wrong with. */
export const decisions = { pending: '待处理', hold: '待查', pass: '放行', refuse: '拒收' } as const
