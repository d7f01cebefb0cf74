/**
 * Purposes for which one document takes from another, counted per source line. `left(purpose) = quantity − taken +
 * given back`.
 */
export const purposes = {
  plan: '计划',
  enquire: '询价',
  order: '下单',
  confirm: '确认',
  ship: '发货',
  carry: '运输',
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
  offset: '核销',
  collect: '代收',
  refund: '退款',
  reverse: '红冲',
  amend: '变更',
  stop: '终止',
} as const
export type Purpose = keyof typeof purposes

/** The wire key of what was counted on a line for a purpose; the other keys follow the purpose's name. */
const countedKeys: Partial<Record<Purpose, string>> = {
  return: 'returned_quantity',
  invoice: 'invoiced_quantity',
  settle: 'settled_quantity',
  receive: 'received_quantity',
  ship: 'shipped_quantity',
  carry: 'carried_quantity',
  grant: 'granted_quantity',
  allocate: 'allocated_quantity',
  arrive: 'arrived_quantity',
  pay: 'paid_amount',
  offset: 'offset_amount',
  refund: 'refunded_amount',
  apply: 'applied_amount',
  ward_receive: 'ward_received_quantity',
  confirm: 'confirmed_quantity',
  inspect: 'inspected_quantity',
  refuse: 'refused_quantity',
  reject: 'rejected_quantity',
  scrap: 'scrapped_quantity',
  reverse: 'reversed_quantity',
  use: 'used_quantity',
  give_back: 'given_back_quantity',
  adjust: 'adjusted_quantity',
  release: 'released_quantity',
  block: 'blocked_quantity',
  stop: 'stopped_quantity',
}
export const countedKey = (purpose: Purpose): string => countedKeys[purpose] ?? `${purpose}_quantity`

/**
 * A figure of a list: what was counted for a purpose, or what is left of it. Money by default; `quantity`: goods in
 * base units; `value`: those goods at the document's prices; `share`: those goods as a share of all that the
 * document requests; `standing`: what the document is worth, of one that was stopped only the counted part. Lists sum
 * the last of their own accord.
 */
export type Figure = {
  readonly label: string
  readonly hint?: string
  readonly purpose: Purpose
  /** Counted together with it. */
  readonly besides?: Purpose
  /** The minimum per line is what this purpose counted: goods received without an arrival document have arrived. */
  readonly atLeast?: Purpose
  /** The rest instead of the counted quantity; nothing for a document that was stopped. */
  readonly rest?: boolean
  readonly of?: 'quantity' | 'value' | 'share' | 'standing'
}
