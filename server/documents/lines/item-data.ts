import type { Decimal } from '#kernel/values/decimal.ts'
import { hooks } from '#server/registry/hooks.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The trade in which an item is priced: the price depends on the two organisations, and on the day. */
export type Trade = {
  readonly org: string
  readonly counterparty: string | null
  readonly direction: 'buy' | 'sell' | 'none'
  readonly day: string
}

/** The data of an item that the engine itself needs; a catalogue has more. */
export type ItemData = {
  readonly name: string
  readonly product_name: string
  /** Taxed price per base unit. */
  readonly price: string
  /** The price that the two organisations agreed for the day; null without an agreement. */
  readonly agreed_price: Decimal | null
  readonly tax_rate: number
  /** One piece, one code, for this organisation. */
  readonly is_unit_coded: boolean
}

/** Items by id, in one statement and read once a transaction. Unknown ids are simply absent. */
export const itemData = (tx: Tx, ids: readonly string[], trade: Trade): Promise<Map<string, ItemData>> =>
  hooks().itemData(tx, ids, trade)
