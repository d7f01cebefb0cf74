/**
 * Figures count facts: things that happened. A document says which facts its lines are (`facts`), and which it takes
 * back; statements of reports ask for a fact by its name and list no kinds. A kind may be several facts: goods that are
 * sold are issued too.
 */
export const facts = {
  ordered: '向供应商订购',
  /** Goods that a customer has ordered of us. */
  ordered_here: '客户订购',
  requested: '科室申领',
  arrived: '到货登记',
  inspected: '验收',
  /** Goods of a supplier that came in, bought or consigned. */
  delivered: '采购到货入库',
  /** Goods that became ours at a price: bought ones when they come in, consigned ones when they are settled. */
  purchased: '采购入库',
  /** Consigned goods that changed their owner: the keeper has bought them, and their owner has sold them. */
  titled: '寄售转自有',
  /** Goods that became ours and are owed to nobody. */
  unowed: '无应付入库',
  otherwise_received: '其他入库',
  /** Goods that came into a store, from wherever. */
  received: '入库',
  opened: '期初',
  /** Goods whose ownership passed to a customer. */
  sold: '销售',
  /** Goods that left for a customer, with any owner. */
  shipped: '销售出库',
  /** Goods that a customer used before they were sold. */
  sold_as_used: '用后销售',
  /** Goods handed to a customer for later settlement. */
  presold: '预销售',
  /** Goods lent to a hospital for an operation. */
  lent: '骨科借用',
  /** Goods that left a store, to wherever. */
  issued: '出库',
  /** Goods that went to another store or organisation. */
  moved: '调拨',
  moved_in: '调入',
  /** Goods of another organisation of the same group that came here. */
  moved_here: '机构调入',
  /** Goods that are kept at a lessor, on their way there or back. */
  stored_elsewhere: '第三方仓储',
  granted: '发放',
  ward_received: '科室收货',
  dispatched: '配送',
  used: '使用',
  used_in_ward: '科室使用',
  used_in_surgery: '手术使用',
  /** Goods that were given away. */
  given: '赠送出库',
  /** Goods that left in a way that has no document of its own. */
  otherwise_issued: '其他出库',
  lost: '报损报废',
  damaged: '报损',
  found: '报溢',
  counted: '盘点',
  /** A stock has more or fewer pieces, or another value, and no goods came or went. */
  corrected: '更正',
  settled: '结算',
  /** Invoices of suppliers. */
  billed: '进项开票',
  /** Invoices to customers. */
  invoiced: '销项开票',
  charged: '服务费',
  paid: '付款',
  collected: '收款',
} as const

export type Fact = keyof typeof facts

/**
 * The facts to which the lines of a document belong: 1 where they add to a fact, -1 where they take back what was
 * counted.
 */
export type Facts = Readonly<Partial<Record<Fact, 1 | -1>>>

/** A document's part in a fact, and whether it is said of the owner's document or of the copy at the other side. */
export type Feeding = { readonly kind: string; readonly role: 'own' | 'counterparty'; readonly sign: 1 | -1 }
