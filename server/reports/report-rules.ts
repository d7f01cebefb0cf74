import type { CallContext, ListActionHandler } from '#server/records/hooks.ts'

/** A call over ticked rows of a report; the rows are those that its caller reads now. Answers as record calls do. */
export type ReportCall = (ctx: Omit<CallContext, 'ids'>) => ReturnType<ListActionHandler>

/** The part of a room in its own report beyond the definition. */
export type ReportRules = {
  readonly kind: string
  /** By their names in the definition's `calls`. */
  readonly calls?: Readonly<Record<string, ReportCall>>
}
