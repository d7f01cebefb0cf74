import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { Sql } from 'postgres'

/** A file of another organisation that we may view, under its owner's terms. */
export type GrantedFile = {
  readonly original_name: string
  /** The watermark on the picture. */
  readonly watermark: string
  readonly mayPrint: boolean
  /** Records at both sides that a user of ours viewed or printed it. */
  readonly looked: (sql: Sql, session: Session, action: 'view' | 'print') => Promise<void>
}

/** Files of others by name; a grant that has ended is refused with a message. */
export type GrantedFiles = {
  readonly find: (tx: Tx, session: Session, name: string) => Promise<GrantedFile | null>
}
