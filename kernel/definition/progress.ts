/** What one paper takes from another, counted per source line. `left(purpose) = quantity − taken + given back`. */
export const purposes = {
  plan: '计划',
  enquire: '询价',
  order: '下单',
  confirm: '确认',
  ship: '发货',
  arrive: '到货',
  inspect: '验收',
  receive: '入库',
  turn: '转销售',
  return: '退货',
  refuse: '拒收',
  reject: '验退',
  allocate: '配送',
  grant: '发放',
  ward_receive: '科室收货',
  give_back: '归还',
  adjust: '差异处理',
  release: '解除停售',
  block: '停售',
  use: '使用',
  scrap: '报废',
  settle: '结算',
  invoice: '开票',
  apply: '申请付款',
  pay: '付款',
  reverse: '红冲',
  amend: '变更',
} as const
export type Purpose = keyof typeof purposes

/**
 * A figure of a list: what was counted for a purpose, or what is left of it. Money where nothing else is said; `quantity`: goods in base
 * units; `value`: those goods at the prices of the paper; `share`: those goods of all that the paper asks for.
 */
export type Figure = {
  readonly label: string
  readonly purpose: Purpose
  /** Counted together with it. */
  readonly besides?: Purpose
  /** No line counts less than this purpose counted: goods that were received without a paper of arrival have arrived. */
  readonly atLeast?: Purpose
  /** What is left; nothing of a paper that was stopped. */
  readonly rest?: boolean
  readonly of?: 'quantity' | 'value' | 'share'
}
