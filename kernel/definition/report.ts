import type { RecordCall, RecordLink } from '#kernel/definition/entity.ts'
import type { Fields, FieldSpec } from '#kernel/definition/field.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import type { Analysis } from '#kernel/definition/analysis.ts'

/**
 * The target of a click on a cell. `document`: its text is the number of a document, and the named column or row value
 * is the document's kind. `to`: another list or report by its kind, under filters taken from the row; `=name` hands on
 * the reader's own parameter. `asking`: fixed values of parameters.
 */
export type DrillDown =
  | { readonly document: string }
  | {
      readonly to: string
      readonly with: Readonly<Record<string, string>>
      readonly asking?: Readonly<Record<string, string>>
    }

/**
 * Chosen rows become a document of this kind. A row names its source line by source_kind, source_sn, source_org_sn
 * and source_line_no and its partner by counterparty_sn.
 */
export type CreatesDocument = {
  readonly kind: string
  readonly label: string
  /** The column that says how much of a row is open. */
  readonly remainingColumn: string
  /** The message when rows of several partners were chosen. */
  readonly mixedPartnersMessage: string
}

/**
 * Rows have figures of months, which are drawn as lines (趋势图): a line for each ticked row, or for the first ones.
 * `months`: the column with a row's months and figures (`2026-01=5,2026-02=0`); it leaves the server with the row.
 * `name`: columns that name a line; `unit`: the column with the unit of its figures.
 */
export type Trend = {
  readonly title: string
  readonly months: string
  readonly name: readonly string[]
  readonly unit: string
}

/** The emphasis of a figure: it is wrong, it is about to be, it is still open, or part of it is not certain yet. */
export type FigureTone = 'danger' | 'warning' | 'open' | 'estimated'
/** The emphasis of a row's figure, if it has one. */
export type Alert = (row: Readonly<Record<string, unknown>>) => FigureTone | null

/**
 * A call on ticked rows of a report. `right`: that of another tab of its page that does the same, by `kind.action`;
 * else it is a right of its own.
 */
export type CallOnRows = RecordCall & { readonly right?: string }

/** The column of its statement by which a row is named to the calls of a report. */
export const ROW_KEY = 'row_key'

export type ReportDefinition<K extends string = string, P extends Fields = Fields, C extends Fields = Fields> = {
  readonly is: 'report'
  readonly kind: K
  readonly title: string
  readonly parameters: P
  readonly columns: C
  /**
   * Columns of its statement that no page shows: analyses and walls sum them, calls and alerts read them. Their kind of
   * field is said as for all others; they leave the server only where a link or a call names a row by them (`carried`).
   */
  readonly beside?: Fields
  /**
   * The statement, from `modules/`; how it names parameters and what it shares is said at `ReportStatement` in
   * `server/reports`.
   */
  readonly sqlFile: string
  /**
   * The reason why its rows belong to no store and no department: users who may open the report read all rows of their
   * organisation.
   */
  readonly unscoped?: string
  /**
   * The reason why its figures add up over the whole organisation and cannot be split: users who are bound to stores,
   * to departments or to their own documents read none of them.
   */
  readonly wholeOnly?: string
  /**
   * Its rows are many, and its sums read far less of each than a page shows: each is read by itself. Everywhere else
   * one reading gives both.
   */
  readonly leanSums?: boolean
  /** Parameters that only choose what is shown (`hiddenColumns`): the statement does not read them. */
  readonly displayParameters?: readonly (keyof P & string)[]
  /**
   * Parameters of the statement that no reader of this report chooses: for reports that share a file with others and
   * are narrower, as those of goods of high value.
   */
  readonly fixed?: Readonly<Record<string, string | boolean | null>>
  /** Columns summed over the whole query, not the page. */
  readonly totals?: readonly (keyof C & string)[]
  /** Columns by which the rows may be grouped and summed, one or several at once: 分组汇总. */
  readonly groupBy?: readonly (keyof C & string)[]
  /**
   * Columns of `groupBy` that a row knows only when it is grouped by them: rows are made as fine as the call asks.
   * In the statement `:grouped_by_name` says whether it does. Ungrouped they are empty and not shown.
   */
  readonly groupOnlyColumns?: readonly (keyof C & string)[]
  /** Rates of a group: the sum of one column divided by that of another. */
  readonly ratios?: Partial<Record<keyof C & string, readonly [of: keyof C & string, by: keyof C & string]>>
  /** The report sums the rows of another by chosen dimensions: `defineAnalysis`. */
  readonly analysis?: Analysis
  readonly trend?: Trend
  /** Columns that are meaningless under these parameters: not shown. */
  readonly hiddenColumns?: (asked: Readonly<Record<string, unknown>>) => readonly string[]
  /** The details that a cell links to, by column. */
  readonly drillDown?: Partial<Record<keyof C & string, DrillDown>>
  /** The kind of document that is counted: what can be done over its list can be done from the count. */
  readonly countedDocument?: string
  /** The document that chosen rows become. */
  readonly createsDocument?: CreatesDocument
  /** Figures that a reader is warned of, by column. */
  readonly alerts?: Partial<Record<keyof C & string, Alert>>
  /**
   * Calls on ticked rows, which the statement names by `row_key`; `ReportRules` of a `.server.ts` runs them. The rows
   * are read again under the reader's own parameters: the server trusts no value of them.
   */
  readonly calls?: Readonly<Record<string, CallOnRows>>
  /** Pages linked from the report, for users who have them. */
  readonly links?: readonly Omit<RecordLink, 'by'>[]
  /** The signatures on a printed copy, where they differ from those of any list. */
  readonly signatures?: readonly string[]
  /** Why these parameters cannot be answered, or null. `forExport`: for a workbook, not for a page. */
  readonly validate?: (asked: Readonly<Record<string, unknown>>, forExport: boolean) => string | null
  readonly screens: readonly Screen<keyof C & string, string>[]
}
/** A report definition of any kind: what the engine reads. */
export type AnyReport = ReportDefinition<string, Fields, Fields>

/** The columns by which chosen rows name their source lines and partner. */
const SOURCES = ['source_kind', 'source_sn', 'source_org_sn', 'source_line_no', 'counterparty_sn'] as const

/**
 * The columns that leave the server with a row though no page shows them: links, calls on the row, the document that it
 * becomes and the rows behind a group need them.
 */
export function carried({
  drillDown = {},
  calls = {},
  createsDocument,
  beside = {},
  analysis,
  trend,
}: AnyReport): readonly string[] {
  const links = Object.values(drillDown).flatMap(lead =>
    lead === undefined ? [] : 'document' in lead ? [lead.document] : Object.values(lead.with),
  )
  const keys = Object.values(analysis?.dimensions ?? {}).flatMap(({ key }) => (key ? [key[1]] : []))
  return [
    ...new Set([
      ...links.filter(name => !name.startsWith('=')),
      ...(Object.values(calls).some(({ rows }) => rows) ? [ROW_KEY] : []),
      ...(createsDocument ? SOURCES : []),
      ...(trend ? [trend.months] : []),
      ...keys,
      ...Object.keys(beside).filter(name => beside[name]!.carried === true),
    ]),
  ]
}

/** The columns of a statement that its report declares: shown, carried with a row, or read on the server alone. */
export const declared = (report: AnyReport): ReadonlySet<string> =>
  new Set([...Object.keys(report.columns), ...Object.keys(report.beside ?? {}), ...carried(report)])

/** The field of a column of a report, shown or not. */
export const columnField = (
  { columns, beside }: Pick<AnyReport, 'columns' | 'beside'>,
  name: string,
): FieldSpec | undefined => columns[name] ?? beside?.[name]

/**
 * The grouping that a call requests, of what the report offers; unknown column names are left for the server to
 * refuse.
 */
export const groupsIn = (asked: unknown): readonly string[] =>
  typeof asked === 'string' ? [...new Set(asked.split(',').filter(name => name !== ''))] : []

/** The grouping that a call requests of a report: an analysis always has one, by what it names while nobody chose. */
export function groupsAsked({ analysis }: AnyReport, asked: unknown): readonly string[] {
  const groups = groupsIn(asked)
  return groups.length === 0 ? (analysis?.standard ?? []) : groups
}

/** Kinds of fields that can be summed: pieces and money, not prices or rates. */
const summed: ReadonlySet<string> = new Set(['quantity', 'amount'])

/** The columns of a grouped report: the group columns, then the sums. */
export const columnsWhenGrouped = (report: AnyReport, groups: readonly string[]): readonly string[] => [
  ...groups,
  ...(report.analysis ? columnsBeside(report.analysis, groups) : []),
  ...Object.keys(report.columns).filter(name => isSummed(report, name)),
]

/** The columns beside the dimensions of an analysis, each once. */
const columnsBeside = ({ dimensions }: Analysis, groups: readonly string[]): readonly string[] =>
  [...new Set(groups.flatMap(name => dimensions[name]?.beside ?? []))].filter(name => !groups.includes(name))

const isSummed = (report: AnyReport, name: string): boolean =>
  report.analysis
    ? name in report.analysis.measures
    : summed.has(report.columns[name]!.as) || name in (report.ratios ?? {})

/** The columns of a report shown under these parameters, in their order. */
export function columnsThatStand(
  report: AnyReport,
  groups: readonly string[],
  asked: Readonly<Record<string, unknown>>,
): readonly string[] {
  const hidden = report.hiddenColumns?.(asked) ?? []
  const unknown: readonly string[] = report.groupOnlyColumns ?? []
  return groups.length === 0
    ? Object.keys(report.columns).filter(name => !hidden.includes(name) && !unknown.includes(name))
    : columnsWhenGrouped(report, groups).filter(name => !hidden.includes(name))
}

/** Declares a report over the ledgers: parameters in, rows and totals out. */
export function defineReport<const K extends string, const P extends Fields, const C extends Fields>(
  definition: Omit<
    ReportDefinition<K, P, C>,
    'is' | 'totals' | 'drillDown' | 'groupBy' | 'groupOnlyColumns' | 'ratios' | 'displayParameters' | 'alerts'
  > & {
    readonly alerts?: Partial<Record<keyof NoInfer<C> & string, Alert>>
    readonly totals?: readonly (keyof NoInfer<C> & string)[]
    readonly groupBy?: readonly (keyof NoInfer<C> & string)[]
    readonly groupOnlyColumns?: readonly (keyof NoInfer<C> & string)[]
    readonly displayParameters?: readonly (keyof NoInfer<P> & string)[]
    readonly ratios?: Partial<
      Record<keyof NoInfer<C> & string, readonly [keyof NoInfer<C> & string, keyof NoInfer<C> & string]>
    >
    readonly drillDown?: Partial<Record<keyof NoInfer<C> & string, DrillDown>>
  },
): ReportDefinition<K, P, C> {
  return { ...definition, is: 'report' } as ReportDefinition<K, P, C>
}
