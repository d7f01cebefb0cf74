import type { ForeignTable } from '#kernel/tables/foreign-table.ts'
import { returnTable } from '#modules/payments/bank/return-table.ts'
import { recorderTable } from '#modules/transport/cold-chain/recorder-table.ts'

/** Files of other programs that are read by their headings, whatever these are. */
export const foreignTables: readonly ForeignTable[] = [recorderTable, returnTable]
