import type { Purpose } from '#kernel/definition/progress.ts'

/** Columns of a stock card. */
export type StockCardColumn =
  | 'purchase_in'
  | 'return_in'
  | 'transfer_in'
  | 'other_in'
  | 'issue_out'
  | 'purchase_back'
  | 'use_out'
  | 'transfer_out'
  | 'other_out'

/** What a definition says of its goods to the views of stock and of licences; functions of the database are made of it. */
export interface GoodsFlow {
  /**
   * The column of a stock card in which its moves count, or one for goods that come and one for goods that go. `none`: they
   * stay inside the store. Left out: other receipts and other issues.
   */
  readonly stockCard?: StockCardColumn | { readonly in: StockCardColumn; readonly out: StockCardColumn } | 'none'
  /**
   * Goods that are not on a shelf yet: those of the other side's copy of a delivery until they arrive, and those of an own
   * document until these purposes took them.
   */
  readonly incoming?: 'delivery' | { readonly until: readonly Purpose[] }
  /** The licence gate at review: whose papers are judged, by which own field's day; default the business date. */
  readonly gate?: 'supplier' | 'customer'
  readonly gateDay?: string
  /** The step of the trade at which its gate asks for licences: a column of an organisation's setting; default `order`. */
  readonly gateStep?: 'order' | 'arrival' | 'receipt' | 'sale' | 'issue'
}
