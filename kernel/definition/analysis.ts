import { type Against, type Grain, grains } from '#kernel/values/comparison.ts'
import { f, type Fields, type FieldSpec } from '#kernel/definition/field.ts'
import type { RecordCall } from '#kernel/definition/entity.ts'
import type { Alert, AnyReport, DrillDown, ReportDefinition } from '#kernel/definition/report.ts'
import type { Screen } from '#kernel/definition/screen.ts'

/** The column of the period that a row belongs to, in every analysis. */
export const PERIOD = 'period'

/**
 * How a column of an analysis is made from the rows of its report. Sums and counts come from the rows; the others from
 * sums and counts of the same analysis, so that a rate is that of the group and not a mean of rates.
 *
 * - `sum`: a column added up. `within` names the column that has to be one for all rows: pieces of several
 * specifications have no sum.
 * - `closing`: a column added up over the rows of the period's last day alone, or of today where that day is to come: a
 * balance has no sum over months. It is not compared with other periods.
 * - `count`: different values of a column; with `positive`, only those whose other column adds up to more than zero: a
 * document that was wholly reversed is none.
 * - `ratio`: one divided by another; nothing where that is 0.
 * - `mean`: a column added up, divided by another: a mean that the second one weighs. To so many decimals, 4 unless
 * the measure says otherwise.
 * - `share`: of the total; `rank`: by size, equal ones share a rank.
 * - `score`: 0 to 100, the mean of rates by their weights, which are columns of the rows; a rate without data passes
 * its weight to the others in proportion.
 * - `change`: against the period before (环比) or the same a year earlier (同比), as a fraction; nothing where that was 0.
 */
export type Measure =
  | { readonly sum: string; readonly within?: string }
  | { readonly closing: string }
  | { readonly count: string; readonly positive?: string }
  | { readonly ratio: readonly [of: string, by: string] }
  | { readonly mean: readonly [of: string, by: string]; readonly decimals?: number }
  | { readonly score: Readonly<Record<string, string>> }
  | { readonly share: string }
  | { readonly rank: string }
  | { readonly before: string; readonly against: Against }
  | { readonly change: string; readonly against: Against }

/** The rows of a report, summed by the dimensions that a reader chooses. */
export type Analysis = {
  /** The report whose rows are summed, under the same parameters: totals agree with it by construction. */
  readonly of: AnyReport
  /** Its column with the day of a row. */
  readonly day: string
  /** The columns by which it can be grouped. */
  readonly dimensions: Readonly<Record<string, Dimension>>
  /** The columns by which it is grouped until the reader chooses others. */
  readonly standard: readonly string[]
  readonly measures: Readonly<Record<string, Measure>>
  /** The measure that rows are ordered by and that the chart draws first. */
  readonly main: string
}
/**
 * A column to group by. `beside`: columns shown with it, as the code of a product and its unit. `key`: the parameter of
 * the report that narrows its rows to one group, and the column whose value it takes. `right`: the right to see it at
 * all.
 */
export type Dimension = {
  readonly beside?: readonly string[]
  readonly key?: readonly [parameter: string, column: string]
  readonly right?: AnalysisRight
}

/** The rights of an analysis' pages beside opening and exporting it, with their labels. */
export const analysisRights = { doctor: '查看医生维度' } as const
export type AnalysisRight = keyof typeof analysisRights

type Given<K extends string, C extends Fields> = {
  readonly kind: K
  readonly title: string
  readonly of: AnyReport
  readonly day: string
  /** Label of the period's column. */
  readonly periodLabel?: string
  readonly grains?: readonly Grain[]
  /** Parameters of the other report that begin otherwise here. */
  readonly parameters?: Fields
  readonly dimensions: Readonly<Record<string, Dimension>>
  readonly standard: readonly string[]
  readonly columns: C
  readonly measures: Readonly<Record<keyof NoInfer<C> & string, Measure>>
  readonly main: keyof NoInfer<C> & string
  readonly drillDown?: Partial<Record<keyof NoInfer<C> & string, DrillDown>>
  readonly alerts?: Readonly<Record<string, Alert>>
  readonly links?: ReportDefinition['links']
  readonly signatures?: readonly string[]
  /** Calls above the page. Rows of an analysis are groups, so no call is over ticked rows. */
  readonly calls?: Readonly<Record<string, Omit<RecordCall, 'rows'>>>
  readonly screens: readonly (Omit<Screen<string, string>, 'columns' | 'filters'> & { readonly columns?: never })[]
}

const EVERY_GRAIN = Object.keys(grains) as Grain[]

/**
 * Declares a report that sums the rows of another by freely chosen dimensions. `columns` are its measures; those of the
 * dimensions are the other report's. Every measure leads to the rows behind it, narrowed to the group.
 */
export function defineAnalysis<const K extends string, const C extends Fields>(
  given: Given<K, C>,
): ReportDefinition<K> {
  const { kind, title, of, columns, dimensions, main } = given
  const offered = given.grains ?? EVERY_GRAIN
  const shown = [...new Set(Object.entries(dimensions).flatMap(([name, { beside = [] }]) => [name, ...beside]))]
  const measured = Object.fromEntries(
    Object.entries(columns).map(([name, field]) => {
      const measure = given.measures[name as keyof typeof given.measures]
      return [name, 'change' in measure ? { ...field, compares: measure.against } : field]
    }),
  )
  const described = Object.fromEntries(shown.map(name => [name, of.columns[name]!]))
  const all: Readonly<Record<string, FieldSpec>> = {
    [PERIOD]: f.text(given.periodLabel ?? '期间', { width: 100 }),
    ...described,
    ...measured,
  }
  const behind: DrillDown = {
    to: of.kind,
    with: { ...everyParameter(of), ...keysOf(dimensions), begin_date: 'period_begin', end_date: 'period_end' },
  }
  return {
    is: 'report',
    kind,
    title,
    sqlFile: of.sqlFile,
    ...(of.unscoped === undefined ? {} : { unscoped: of.unscoped }),
    ...(of.wholeOnly === undefined ? {} : { wholeOnly: of.wholeOnly }),
    ...(of.fixed === undefined ? {} : { fixed: of.fixed }),
    parameters: {
      ...of.parameters,
      ...given.parameters,
      grain: f.pick('统计粒度', Object.fromEntries(offered.map(grain => [grain, grains[grain]]))),
    },
    displayParameters: ['grain'],
    ...(of.validate ? { validate: of.validate } : {}),
    columns: all,
    groupBy: [PERIOD, ...Object.keys(dimensions)],
    totals: Object.keys(columns).filter(
      name =>
        !ofGroupsAlone(given.measures[name as keyof typeof given.measures]) &&
        // Hours and scores are no pieces: over everything they would wait for a unit that they do not have.
        ('unit_name' in all || all[name]?.as !== 'quantity'),
    ),
    drillDown: { [main]: behind, ...given.drillDown },
    ...(given.alerts ? { alerts: given.alerts } : {}),
    ...(given.links ? { links: given.links } : {}),
    ...(given.calls ? { calls: given.calls } : {}),
    ...(given.signatures ? { signatures: given.signatures } : {}),
    analysis: {
      of,
      day: given.day,
      dimensions,
      standard: given.standard,
      measures: given.measures,
      main,
    },
    screens: given.screens.map(screen => ({ ...screen, columns: Object.keys(all), filters: [] })),
  } as unknown as ReportDefinition<K>
}

/** The most values of a dimension that get a column each in a cross table; the others share one column, 其他. */
export const MOST_ACROSS = 20

/** The name of a column of a cross table in its rows. */
export const acrossName = (at: number): string => `across_${at}`

/** 交叉表: one measure with a column for each value of a dimension. Its sum must be valid over all rows. */
export function crossed({ measures, main }: Analysis): string | null {
  const measure = measures[main]
  return measure !== undefined && 'sum' in measure && measure.within === undefined ? measure.sum : null
}

/** True if a measure compares a group with the others. Over everything together it has no meaning. */
const ofGroupsAlone = (measure: Measure): boolean => 'share' in measure || 'rank' in measure

/** The columns whose values narrow the rows behind a figure, by the parameter that takes them. */
export const keysOf = (dimensions: Readonly<Record<string, Dimension>>): Record<string, string> =>
  Object.fromEntries(Object.values(dimensions).flatMap(({ key }) => (key ? [key] : [])))

/** The rows behind a figure are asked for with the reader's own parameters. */
const everyParameter = (of: AnyReport): Record<string, string> =>
  Object.fromEntries(Object.keys(of.parameters).map(name => [name, `=${name}`]))
