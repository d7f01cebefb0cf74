import type { ListActionHandler, RecordRow } from '#server/records/hooks.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A call over ticked rows of a report; the rows are those that its caller reads now. Answers as record calls do. */
export type ReportCall = (
  tx: Tx,
  session: Session,
  asked: Readonly<RecordRow>,
  rows: readonly Readonly<RecordRow>[],
) => ReturnType<ListActionHandler>

/** What a room does for a report of its own beyond its definition. */
export type ReportRules = {
  readonly kind: string
  /** By their names in the definition's `calls`. */
  readonly calls?: Readonly<Record<string, ReportCall>>
}
