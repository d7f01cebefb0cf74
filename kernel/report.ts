import type { Fields } from '#kernel/field.ts'
import type { Screen } from '#kernel/screen.ts'

/**
 * Where a cell leads. `paper`: its text is the number of a paper, and the named column or row value is the paper's kind. `to`: another
 * list or report by its kind, under filters taken from the row; `=name` hands on the reader's own parameter.
 */
export type Lead = { readonly paper: string } | { readonly to: string; readonly with: Readonly<Record<string, string>> }

export type ReportDefinition<K extends string = string, P extends Fields = Fields, C extends Fields = Fields> = {
  readonly is: 'report'
  readonly kind: K
  readonly title: string
  readonly params: P
  readonly columns: C
  /** The `.sql` file beside the definition; its parameters are $1 = organisation and then `params` in order. */
  readonly source: string
  /** Where several reports share a statement: what stands at its `{name}`. SQL of the definition's own, never of a caller. */
  readonly fills?: Readonly<Record<string, string>>
  /** Columns summed over the whole query, not the page. */
  readonly totals?: readonly (keyof C & string)[]
  /** Columns by which the rows may be summed, one or several at once: 分组汇总. */
  readonly groups?: readonly (keyof C & string)[]
  /**
   * Columns of `groups` that a row knows only when it is grouped by them: rows are made as fine as the call asks. In the statement
   * `{by:name}` says whether it does. Ungrouped they are empty and not shown.
   */
  readonly finer?: readonly (keyof C & string)[]
  /** Rates of a group: the sum of one column by that of another. */
  readonly ratios?: Partial<Record<keyof C & string, readonly [of: keyof C & string, by: keyof C & string]>>
  /** Columns that say nothing under these parameters: they are not shown. */
  readonly silent?: (asked: Readonly<Record<string, unknown>>) => readonly string[]
  /** What stands behind a cell, by column. */
  readonly leads?: Partial<Record<keyof C & string, Lead>>
  /** The papers that are counted: what can be done over their list can be done from the count. */
  readonly counts?: string
  /**
   * Chosen rows begin a paper of this kind. A row names its source line by source_kind, source_sn, source_org_sn and source_line_no and
   * its partner by counterparty_sn; `left` is the column that says how much of it is open, `mixed` what is said of several partners.
   */
  readonly begins?: { readonly kind: string; readonly label: string; readonly left: string; readonly mixed: string }
  /** Why these parameters cannot be answered, or null. `carried`: for a workbook, not for a page. */
  readonly refuses?: (asked: Readonly<Record<string, unknown>>, carried: boolean) => string | null
  readonly screens: readonly Screen<keyof C & string, string>[]
}
/** A report definition of any kind: what the engine reads. */
export type AnyReport = ReportDefinition<string, Fields, Fields>

/** By what a call groups, of what the report offers; words that are no column of it are left for the server to refuse. */
export const groupsIn = (asked: unknown): readonly string[] =>
  typeof asked === 'string' ? [...new Set(asked.split(',').filter(name => name !== ''))] : []

/** What adds up: pieces and money. Prices and rates do not. */
const summed: ReadonlySet<string> = new Set(['quantity', 'amount'])

/** The columns that stand when a report is grouped: what it is grouped by, then what is summed. */
export const columnsWhenGrouped = (report: AnyReport, groups: readonly string[]): readonly string[] => [
  ...groups,
  ...Object.keys(report.columns).filter(name => summed.has(report.columns[name]!.as) || name in (report.ratios ?? {})),
]

/** The columns of a report that say something under these parameters, in their order. */
export function columnsThatStand(
  report: AnyReport,
  groups: readonly string[],
  asked: Readonly<Record<string, unknown>>,
): readonly string[] {
  const silent = report.silent?.(asked) ?? []
  const unknown: readonly string[] = report.finer ?? []
  return groups.length === 0
    ? Object.keys(report.columns).filter(name => !silent.includes(name) && !unknown.includes(name))
    : columnsWhenGrouped(report, groups).filter(name => !silent.includes(name))
}

/** Declares a figure table over the ledgers: parameters in, rows and totals out. */
export function defineReport<const K extends string, const P extends Fields, const C extends Fields>(
  definition: Omit<ReportDefinition<K, P, C>, 'is' | 'totals' | 'leads' | 'groups' | 'finer' | 'ratios'> & {
    readonly totals?: readonly (keyof NoInfer<C> & string)[]
    readonly groups?: readonly (keyof NoInfer<C> & string)[]
    readonly finer?: readonly (keyof NoInfer<C> & string)[]
    readonly ratios?: Partial<
      Record<keyof NoInfer<C> & string, readonly [keyof NoInfer<C> & string, keyof NoInfer<C> & string]>
    >
    readonly leads?: Partial<Record<keyof NoInfer<C> & string, Lead>>
  },
): ReportDefinition<K, P, C> {
  return { ...definition, is: 'report' } as ReportDefinition<K, P, C>
}
