import type { Pending } from '#server/ledger/check/pending.ts'
import type { Tx } from '#server/database/transaction.ts'

/** One thing that does not agree, with the sentence its reader acts on. */
export type Finding = {
  readonly check: string
  /** The organisation whose books are wrong; null where it is nobody's alone. */
  readonly org: string | null
  /** Ids that find the rows. */
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
/** One statement over all organisations that gives what does not agree. */
export type Check = {
  readonly name: string
  readonly title: string
  readonly run: (tx: Tx, pending: Pending) => Promise<readonly CheckRow[]>
}

/** Rows shown of one check: a broken ledger may differ everywhere. */
export const MAX_ROWS = 1000
