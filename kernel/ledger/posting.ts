import type { Decimal } from '#kernel/values/decimal.ts'
import type { Id } from '#kernel/definition/field.ts'

/** Quality states of stock; part of the balance key. */
export const qualityStates = {
  qualified: '合格',
  pending: '待验',
  stopped: '停售',
  frozen: '冻结',
  unqualified: '不合格',
} as const
export type QualityState = keyof typeof qualityStates

/** The events of a piece, in the words of the trace page. Each maps to a GS1 EPCIS 2.0 business step. */
export const steps = {
  opening: '期初',
  produce: '生产入库',
  ship: '发货',
  receive: '收货',
  arrive_reject: '拒收',
  grant: '发放',
  ward_receive: '科室收货',
  use: '使用',
  issue: '其他出库',
  return: '退回',
  transfer: '移库',
  transfer_out: '调出',
  transfer_in: '调入',
  pack: '组包',
  unpack: '拆包',
  open: '开瓶',
  load: '上机',
  unload: '下机',
  reconstitute: '复溶',
  finish: '用完',
  discard: '报废',
  relabel: '贴签',
  hold: '冻结',
  release: '解冻',
  title: '货权转移',
  loss: '报损',
  scrap: '报废',
  overflow: '报溢',
  correct: '更正',
  undo: '撤销',
} as const
export type Step = keyof typeof steps

/**
 * A place of goods, seen from the posting organisation. `store`: one of its warehouses; `transit`: in transit under a
 * delivery (identified by its sn); `consumed`: the virtual location of used goods; `consigned`: own goods held by a
 * customer (a memo beside the ledger); `loan`: the hospital's store of goods on loan for operations, under the number
 * of the document that brought them; `outside`: at another organisation or not in the chain, where we keep no row.
 */
export type Place =
  | { readonly at: 'store'; readonly warehouse: Id<'warehouse'>; readonly location?: string | null }
  | { readonly at: 'transit'; readonly under: string }
  | { readonly at: 'consumed' }
  | { readonly at: 'loan'; readonly under: string }
  | { readonly at: 'consigned'; readonly customer: Id<'organisation'> }
  | { readonly at: 'outside'; readonly org: Id<'organisation'> | null }

export const store = (warehouse: Id<'warehouse'> | null, location: string | null = null): Place => {
  if (!warehouse) throw new Error('a posting needs its warehouse')
  return { at: 'store', warehouse, location }
}
export const transit = (under: string): Place => ({ at: 'transit', under })
export const outside = (org: Id<'organisation'> | null = null): Place => ({ at: 'outside', org })
export const consignedAt = (customer: Id<'organisation'> | null): Place => {
  if (!customer) throw new Error('consigned goods lie with a customer')
  return { at: 'consigned', customer }
}
export const consumed: Place = { at: 'consumed' }
export const onLoan = (under: string): Place => ({ at: 'loan', under })

/**
 * One line's goods moving between two places. Quantities are base units and positive; a reversal negates everything.
 */
export type Move = {
  readonly line_no: number
  readonly step: Step
  readonly from: Place
  readonly to: Place
  readonly quantity: Decimal
  /** The pieces that move, where only some of the line's do; default all of them. */
  readonly codes?: readonly string[]
  /** The content of each code in base units, where the move makes new packs of loose goods. */
  readonly packSize?: Decimal
  /** The owner of the goods; default the posting organisation. */
  readonly owner?: Id<'organisation'> | null
  /** Owner after the move, where ownership changes. */
  readonly toOwner?: Id<'organisation'> | null
  readonly quality?: QualityState
  readonly toQuality?: QualityState
  /** The lot that moves, where it is not the line's. */
  readonly lot?: Id<'lot'>
  /** The goods' lot after the move, where the lot was wrong. */
  readonly toLot?: Id<'lot'>
  /** Value in yuan that comes in with the goods; if omitted, goods keep the average cost of the place they leave. */
  readonly value?: Decimal
  /** False where the goods do not move and no trace event happens (settlement of used goods). */
  readonly traced?: boolean
  /**
   * The piece's place in the trace when the ledger has another one: goods for a customer who never confirms arrival are
   * in transit there.
   */
  readonly tracedFrom?: Place
  /**
   * The same where goods arrive: our own goods that a customer holds are in its books at once, and for the trace on
   * the way until it has them.
   */
  readonly tracedTo?: Place
}

/** Accounts an organisation keeps for each counterparty. payable = estimated + invoiced, receivable likewise. */
export const accounts = {
  payable_estimated: '应付暂估',
  payable_invoiced: '应付已开票',
  prepaid: '预付',
  receivable_unbilled: '应收未开票',
  receivable_invoiced: '应收已开票',
  prereceived: '预收',
  rounding: '发票尾差',
  allowance: '折让',
} as const
export type Account = keyof typeof accounts

/** Accounts of money in advance: never below zero, neither of a partner nor of one advance. */
export const advanceAccounts: readonly Account[] = ['prepaid', 'prereceived']
/**
 * Accounts on which every entry belongs to the document that opened the item: an invoice, an opening, a service fee, an
 * advance.
 */
export const itemAccounts: readonly Account[] = [...advanceAccounts, 'payable_invoiced', 'receivable_invoiced']

/**
 * The entries of a document change the balance with a partner in one of these ways: they raise it for goods, give goods
 * back, raise it for a service (费用), pay it, set something off against it, move it under an invoice (what is left of
 * that is 尾差), or bring what was owed before the program (期初). A reversal does the same with the other sign.
 */
export type AccountMovement = 'raise' | 'return' | 'fee' | 'money' | 'offset' | 'rounding' | 'opening'

export type Entry = {
  readonly line_no: number
  readonly account: Account
  readonly amount: Decimal
  /** Default: the document's counterparty. */
  readonly counterparty?: Id<'organisation'>
  /**
   * The document of the line that opened the booked item: its source, or the one it names besides (`secondaryTarget`).
   * Default: whichever of them opens this account.
   */
  readonly item?: 'source' | 'target'
}

/** Everything a document writes into the ledgers. Pure data: the engine posts, unposts and reverses it. */
export type Posting = { readonly moves?: readonly Move[]; readonly entries?: readonly Entry[] }
