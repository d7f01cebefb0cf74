import type { Fields } from '#kernel/definition/field.ts'
import { withKeptCodes } from '#server/ledger/named-codes.ts'
import { withKnownLot } from '#server/ledger/known-lots.ts'
import type { Tx } from '#server/database/transaction.ts'

type Row = Readonly<Record<string, unknown>>

/** The values sent for a row, or as answers to a call, with lots and codes written as we keep them. */
export async function withKeptNames(tx: Tx, org: string, fields: Fields, sent: Row, row: Row = {}): Promise<Row> {
  const [kept] = await withKeptCodes(tx, org, fields, [sent])
  return withKnownLot(tx, kept!, row)
}
