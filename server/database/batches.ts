import type { PendingQuery, Row } from 'postgres'
import type { Tx } from '#server/database/transaction.ts'

/** Rows that an export holds at once. */
export const BATCH = 1000

let cursors = 0

/**
 * Every row of a statement, `size` at a time, through a cursor of the database: between two batches the transaction
 * takes other statements, as completing a batch needs. The driver's own cursor keeps its connection busy until the last
 * row: a statement between two batches waits for ever.
 */
export async function* inBatches<Found extends Row>(
  tx: Tx,
  select: PendingQuery<Found[]>,
  size = BATCH,
): AsyncGenerator<Found[]> {
  const cursor = await newCursor(tx)
  await tx`declare ${tx(cursor)} no scroll cursor for ${select}`
  yield* fetched<Found>(tx, cursor, size)
}

/** The same for a statement that is a text with numbered values. */
export async function* textInBatches<Found extends Row>(
  tx: Tx,
  select: string,
  values: Parameters<Tx['unsafe']>[1],
  size = BATCH,
): AsyncGenerator<Found[]> {
  const cursor = await newCursor(tx)
  await tx.unsafe(`declare ${cursor} no scroll cursor for ${select}`, values)
  yield* fetched<Found>(tx, cursor, size)
}

/** All rows will be read: by default a cursor is planned for the first tenth. */
async function newCursor(tx: Tx): Promise<string> {
  await tx`set local cursor_tuple_fraction = 1`
  cursors += 1
  return `batches_${cursors}`
}

async function* fetched<Found extends Row>(tx: Tx, cursor: string, size: number): AsyncGenerator<Found[]> {
  for (;;) {
    // Not prepared: a prepared fetch would remember the columns of another cursor with the same name.
    const rows = await tx.unsafe<Found[]>(`fetch ${size} from ${cursor}`)
    if (rows.length > 0) yield [...rows]
    if (rows.length < size) break
  }
  await tx.unsafe(`close ${cursor}`)
}

/** Batches with each of their rows made another. */
export async function* mapped<From, To>(
  batches: AsyncIterable<readonly From[]>,
  change: (row: From) => To,
): AsyncGenerator<To[]> {
  for await (const batch of batches) yield batch.map(change)
}
