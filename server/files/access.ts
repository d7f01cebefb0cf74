import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { Sql } from 'postgres'

/** A file of another organisation that we may look at, as its owner lets us. */
export type GrantedFile = {
  readonly original_name: string
  /** What stands over the picture. */
  readonly watermark: string
  readonly mayPrint: boolean
  /** Notes that somebody of ours looked at it or printed it, at both sides. */
  readonly looked: (sql: Sql, session: Session, action: 'view' | 'print') => Promise<void>
}

/** Files of others by name; a grant that has ended is refused in words. */
export type GrantedFiles = {
  readonly find: (tx: Tx, session: Session, name: string) => Promise<GrantedFile | null>
}
