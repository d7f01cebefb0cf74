import type { Pending } from '#server/ledger/check/pending.ts'
import type { Tx } from '#server/database/transaction.ts'

/** One discrepancy, with the sentence its reader acts on. */
export type Finding = {
  readonly check: string
  /** The organisation whose books are wrong; null where it cannot be assigned to one. */
  readonly org: string | null
  /** Ids that identify the rows. */
  readonly key: string
  readonly expected: string
  readonly found: string
  readonly msg: string
}
export type CheckRow = {
  readonly org: string | null
  readonly key: string
  readonly expected: string
  readonly found: string
}
/** One statement over all organisations that returns the discrepancies. */
export type Check = {
  readonly name: string
  readonly title: string
  readonly run: (tx: Tx, pending: Pending) => Promise<readonly CheckRow[]>
}

/** Maximum rows shown per check: a broken ledger may differ everywhere. */
export const MAX_ROWS = 1000
