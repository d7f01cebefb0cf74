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
