import type { ParameterOrJSON } from 'postgres'
import { acrossName, type Analysis, crossed, type Measure, PERIOD } from '#kernel/definition/analysis.ts'
import { type Against, comparedWith, type Grain, type Range } from '#kernel/values/comparison.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import { type Day, today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { without } from '#kernel/values/without.ts'
import { bound, statementOf } from '#server/reports/report-sql.ts'

type Values = Readonly<Record<string, unknown>>
/** An analysis as SQL with its values: by its groups, and how many these are beside everything as one row. */
export type AnalysisStatement = {
  readonly rows: string
  readonly values: readonly ParameterOrJSON<never>[]
  readonly totals: string
  readonly totalValues: readonly ParameterOrJSON<never>[]
}

/** Columns of a page with its whole: which row it is, the whole being row 0, and how many there are beside it. */
const [IS_WHOLE, ROW_NUMBER, ROWS] = ['is_whole', 'row_number', 'rows']

/** Everything as one row and a page of the groups after it, from one reading of the facts. */
export type PageWithWhole = {
  /** SQL under an order of its columns, with the most rows of a page and how many are before it after the values. */
  readonly text: (order: string) => string
  readonly values: readonly ParameterOrJSON<never>[]
  /** The whole with the number of rows, and the rows, of what the statement yields. */
  readonly read: (yielded: readonly Values[]) => { readonly list: readonly Values[]; readonly whole: Values }
}

/** How PostgreSQL names a grain, and how a period of it is written. */
const written: Readonly<Record<Grain, { readonly step: string; readonly format: string }>> = {
  day: { step: '1 day', format: 'YYYY-MM-DD' },
  week: { step: '7 days', format: 'IYYY-"W"IW' },
  month: { step: '1 month', format: 'YYYY-MM' },
  quarter: { step: '3 months', format: 'YYYY-"Q"Q' },
  year: { step: '1 year', format: 'YYYY' },
}

/** The first day of the period to which a day of the compared range corresponds. */
function periodOf(grain: Grain, against: 'now' | Against, day: string): string {
  const begin = (of: string) => `date_trunc('${grain}', ${of})`
  if (against === 'now') return begin(`${day}::timestamp`)
  if (against === 'previous') return `${begin(`${day}::timestamp`)} + interval '${written[grain].step}'`
  const later = grain === 'week' ? '364 days' : '1 year'
  return grain === 'week' || grain === 'day'
    ? begin(`${day}::timestamp + interval '${later}'`)
    : `${begin(`${day}::timestamp`)} + interval '${later}'`
}

/** The comparisons that the shown measures need: rows of other years are read for nothing else. */
function comparisons({ measures }: Analysis, shown: readonly string[]): readonly Against[] {
  const needed = new Set<Against>()
  for (const name of shown) {
    const measure = measures[name]
    if (measure && 'against' in measure) needed.add(measure.against)
  }
  return [...needed]
}

/** Parameters of one statement after those of another: `$1` becomes `$8`. */
const shifted = (text: string, by: number): string =>
  text.replace(/\$(\d+)/g, (_, n: string) => `$${parseInteger(n) + by}`)

type Asked = { readonly groups: readonly string[]; readonly shown: readonly string[]; readonly values: Values }

/**
 * A page of an analysis with its whole, the rows of the range read once for both. The whole may be compared with other
 * rows than its periods are: of two months each is compared with the one before it, both with the two before them. Null
 * where there are no groups.
 */
export function pageWithWhole(report: AnyReport, asked: Asked): PageWithWhole | null {
  const analysis = report.analysis!
  const grain = grainOf(asked)
  if (asked.groups.length === 0) return null
  const besides = comparisons(analysis, asked.shown).filter(against => !comparesAlike(asked, grain, against))
  const { text: facts, values } = factsOf(report, asked, grain, besides)
  const { sums, columns, order } = summed(analysis, { ...asked, withWhole: true, besides }, grain, values.length)
  const [most, skipped] = [`$${values.length + 1}::int`, `$${values.length + 2}::int`]
  return {
    text: asks => {
      const by = [`${IS_WHOLE} desc`, ...(asks === '' ? [] : [asks]), ...order].join(', ')
      return `with ${facts}, ${sums}, finished as (select ${columns.join(', ')}, s.${IS_WHOLE} from summed s),
        numbered as (select f.*, row_number() over (order by ${by}) - 1 as ${ROW_NUMBER},
          count(*) over () - 1 as ${ROWS} from finished f)
        select * from numbered
          where ${ROW_NUMBER} = 0 or ${ROW_NUMBER} > ${skipped} and ${ROW_NUMBER} <= ${skipped} + ${most}
          order by ${ROW_NUMBER}`
    },
    values,
    read: ([whole = {}, ...list]) => ({
      list: list.map(row => without(row, [IS_WHOLE, ROW_NUMBER, ROWS])),
      whole: without(whole, [IS_WHOLE, ROW_NUMBER, PERIOD, ...standing(analysis, asked.groups)]),
    }),
  }
}

/** An analysis under these parameters; over everything, its whole range is one period. */
export function analysisStatement(report: AnyReport, asked: Asked): AnalysisStatement {
  const analysis = report.analysis!
  const grain = grainOf(asked)
  const { text: facts, values } = factsOf(report, asked, grain)
  const rows = `with ${facts}, ${finished(summed(analysis, asked, grain, values.length))}`
  const whole = factsOf(report, asked, null)
  const everything = summed(analysis, { groups: null, shown: asked.shown }, null, whole.values.length)
  const sums = `with ${whole.text}, ${finished(everything)}`
  return {
    rows,
    values,
    totals: `select (select count(*) from (${rows}) counted)::int as rows, w.*
      from (${shifted(sums, values.length)}) w`,
    totalValues: [...values, ...whole.values],
  }
}

/** True if the whole range and its periods are compared with the same days. */
function comparesAlike({ values }: Asked, grain: Grain | null, against: Against): boolean {
  const [whole, periods] = [null, grain].map(of => comparedWith(rangeOf(values), of, against, today()))
  return whole!.begin === periods!.begin && whole!.end === periods!.end
}

/** How fine the periods are by which rows are grouped; null where they are not. */
const grainOf = ({ groups, values }: Asked): Grain | null =>
  groups.includes(PERIOD) ? ((values.grain as Grain | null) ?? 'month') : null

const rangeOf = (values: Values): Range => ({ begin: values.begin_date as Day, end: values.end_date as Day })

/** The branch of the rows with which everything is compared, where they are others than those of its periods. */
const ofAll = (against: Against): string => `${against}_of_all`

/**
 * The rows of the report, read once for the range and once for each range it is compared with: a group and what it is
 * compared with are one row. `besides` names the comparisons whose rows for everything are read beside those of its
 * periods. The first and last day of the range are bound after what the rows need.
 */
function factsOf(
  report: AnyReport,
  { values, shown }: Asked,
  grain: Grain | null,
  besides: readonly Against[] = [],
): { readonly text: string; readonly values: readonly ParameterOrJSON<never>[] } {
  const analysis = report.analysis!
  const range = rangeOf(values)
  const { unordered: text, names } = statementOf(analysis.of)
  const periodBy = (against: 'now' | Against) =>
    grain === null ? 'null::timestamp' : periodOf(grain, against, `r."${analysis.day}"`)
  const branches = [
    { branch: 'now', days: range, period: periodBy('now') },
    ...comparisons(analysis, shown).map(against => ({
      branch: against,
      days: comparedWith(range, grain, against, today()),
      period: periodBy(against),
    })),
    ...besides.map(against => ({
      branch: ofAll(against),
      days: comparedWith(range, null, against, today()),
      period: 'null::timestamp',
    })),
  ].map(({ branch, days, period }, at) => ({
    sql: `select '${branch}'::text as branch, ${period} as analysed_period, r.*
      from (${shifted(text, at * names.length)}) r`,
    values: names.map(
      name =>
        ({ ...values, begin_date: days.begin, end_date: days.end, is_comparison: branch !== 'now' })[name] ?? null,
    ),
  }))
  const bound = branches.flatMap(branch => branch.values)
  return {
    text: `facts as (${branches.map(({ sql }) => sql).join(' union all ')})`,
    values: [...bound, range.begin, range.end] as ParameterOrJSON<never>[],
  }
}

/** The values across a cross table: those of the dimension; nothing (null) for rows with none of these. */
export type Across = { readonly dimension: string; readonly values: readonly (string | null)[] }

/** The columns of a period and of dimensions, as the facts of one range have them. */
function factsBy(report: AnyReport, { values }: Asked, grain: Grain) {
  const analysis = report.analysis!
  const { unordered: text, names } = statementOf(analysis.of)
  const period = `to_char(${periodOf(grain, 'now', `r."${analysis.day}"`)}, '${written[grain].format}')`
  return {
    text: `select ${period} as "${PERIOD}", r.* from (${text}) r`,
    bound: bound(analysis.of, names, values),
  }
}

/** The values of a dimension, the weightiest first, with how many there are of them. */
export function acrossStatement(report: AnyReport, asked: Asked, dimension: string, most: number) {
  const { text, bound } = factsBy(report, asked, (asked.values.grain as Grain | null) ?? 'month')
  const order = dimension === PERIOD ? '1' : `abs(sum("${crossed(report.analysis!)!}")) desc nulls last, 1`
  return {
    text: `select "${dimension}" as value from (${text}) f group by 1 order by ${order} limit ${most}`,
    values: bound,
  }
}

/**
 * A cross table: a row for each group, a column for each of these values, the rest and the whole beside them. The sums
 * are those of the analysis: only the rows of the range itself are read.
 */
export function crossStatement(report: AnyReport, asked: Asked, { dimension, values }: Across): AnalysisStatement {
  const analysis = report.analysis!
  const { text, bound } = factsBy(report, asked, (asked.values.grain as Grain | null) ?? 'month')
  const sum = `sum("${crossed(analysis)!}")`
  const known = values.map((_, at) => `$${bound.length + 1 + at}::text`)
  const isOne = (value: string) => `f."${dimension}"::text is not distinct from ${value}`
  const isKnown = known.length === 0 ? 'false' : known.map(isOne).join(' or ')
  const columns = [
    ...known.map((value, at) => `${sum} filter (where ${isOne(value)}) as "${acrossName(at)}"`),
    `${sum} filter (where not (${isKnown})) as "${acrossName(values.length)}"`,
    `${sum} as "${analysis.main}"`,
  ]
  const by = [...new Set(asked.groups.flatMap(name => [name, ...(analysis.dimensions[name]?.beside ?? [])]))]
  const stand = by.map(name => `"${name}"`)
  const rows = `select ${[...stand, ...columns].join(', ')} from (${text}) f
    group by ${stand.join(', ')} order by "${analysis.main}" desc nulls last, ${stand.join(', ')}`
  const bindings = [...bound, ...values] as ParameterOrJSON<never>[]
  return {
    rows,
    values: bindings,
    totals: `select (select count(*) from (${rows}) counted)::int as rows, ${columns.join(', ')} from (${text}) f`,
    totalValues: bindings,
  }
}

/** Which rows a measure adds up: those of a branch. `left`: the column with the rest of what a count counts. */
type Added = {
  readonly branch: string
  readonly left: string
  /** The column with the day of a row, and the last day of the period as SQL. */
  readonly day: string
  readonly lastDay: string
}

/** The SQL of a measure over the rows of one branch; null for one that is made from other measures. */
function aggregate(measure: Measure, { branch, left, day, lastDay }: Added): string | null {
  const filter = `filter (where branch = '${branch}')`
  if ('closing' in measure) {
    const last = `"${day}" = least(${lastDay}, '${today()}'::date)`
    return `sum("${measure.closing}") filter (where branch = '${branch}' and ${last})`
  }
  if ('sum' in measure) {
    const sum = `sum("${measure.sum}") ${filter}`
    if (measure.within === undefined) return sum
    const one = `min("${measure.within}") ${filter} is not distinct from max("${measure.within}") ${filter}`
    return `case when ${one} then ${sum} end`
  }
  if ('mean' in measure) {
    const [of, by] = measure.mean.map(column => `sum("${column}") ${filter}`)
    return `round((${of})::numeric / nullif(${by}, 0), ${measure.decimals ?? 4})`
  }
  if (!('count' in measure)) return null
  return measure.positive === undefined
    ? `count(distinct "${measure.count}") ${filter}`
    : `count(distinct "${measure.count}") filter (where branch = '${branch}' and "${left}" > 0)`
}

const fraction = (of: string, by: string): string => `round((${of})::numeric / nullif((${by})::numeric, 0), 4)`

/** A mean of rates by weights, of those that have data: 100 is the best. */
function score(parts: Readonly<Record<string, string>>, measures: Analysis['measures'], among: string): string {
  const rates = Object.entries(parts).map(([name, weight]) => ({
    rate: derived(measures[name]!, measures, among) ?? `"${name}"`,
    weight: `"${weight}__weight"`,
  }))
  const sum = rates.map(({ rate, weight }) => `coalesce(${weight} * (${rate}), 0)`).join(' + ')
  const whole = rates.map(({ rate, weight }) => `case when (${rate}) is null then 0 else ${weight} end`).join(' + ')
  return `round(100 * (${sum}) / nullif(${whole}, 0), 2)`
}

/** A measure of a group, from what its rows add up to; `among` which it is compared is the partition of a window. */
function derived(measure: Measure, measures: Analysis['measures'], among: string): string | null {
  if ('score' in measure) return score(measure.score, measures, among)
  if ('ratio' in measure) return fraction(`"${measure.ratio[0]}"`, `"${measure.ratio[1]}"`)
  if ('share' in measure) return fraction(`"${measure.share}"`, `sum("${measure.share}") over (${among})`)
  if ('rank' in measure) return `rank() over (${among} order by "${measure.rank}" desc nulls last)::int`
  if ('before' in measure) return `"${measure.before}__${measure.against}"`
  if ('change' in measure) {
    const before = `"${measure.change}__${measure.against}"`
    return fraction(`coalesce("${measure.change}", 0) - ${before}`, `abs(${before})`)
  }
  return null
}

/** The sums and counts of a comparison that have a counterpart in another range. */
function compared({ measures }: Analysis, shown: readonly string[]): readonly { of: string; against: Against }[] {
  const pairs = new Map<string, { of: string; against: Against }>()
  for (const name of shown) {
    const measure = measures[name]
    if (!measure || !('against' in measure)) continue
    const of = 'change' in measure ? measure.change : measure.before
    pairs.set(`${of} ${measure.against}`, { of, against: measure.against })
  }
  return [...pairs.values()]
}

/** The columns by which rows of these groups stand: those of the groups, what is beside them, and their keys. */
const standing = ({ dimensions }: Analysis, groups: readonly string[]): readonly string[] => [
  ...new Set(
    groups
      .filter(name => name !== PERIOD)
      .flatMap(name => {
        const { beside = [], key } = dimensions[name]!
        return [name, ...beside, ...(key ? [key[1]] : [])]
      }),
  ),
]

/** The last day of the period of a row, as SQL. */
const lastDayOf = (grain: Grain | null, bound: number): string =>
  grain === null
    ? `$${bound}::date`
    : `least((analysed_period + interval '${written[grain].step}')::date - 1, $${bound}::date)`

/** The period of a row with its first and last day: without a grain, the range; of the whole, the range too. */
function periodColumns(grain: Grain | null, bound: number): readonly string[] {
  const [first, last] = [`$${bound - 1}::date`, lastDayOf(grain, bound)]
  if (grain === null) return [`${first} as period_begin`, `${last} as period_end`]
  return [
    `to_char(analysed_period, '${written[grain].format}') as "${PERIOD}"`,
    `greatest(analysed_period::date, ${first}) as period_begin`,
    `${last} as period_end`,
  ]
}

/** The facts summed, as SQL: what sums them, the columns of a row of `summed`, and the order of these rows. */
type Summed = { readonly sums: string; readonly columns: readonly string[]; readonly order: readonly string[] }

const finished = ({ sums, columns, order }: Summed): string =>
  `${sums} select ${columns.join(', ')} from summed s order by ${order.join(', ')}`

/**
 * A filter on what is left of what is counted needs it summed by the same groups as the rows. What is counted comes
 * first: sorted by it once, the rows are summed by groups and over everything.
 */
const leftsOf = ({ measures }: Analysis, by: readonly string[], suffix: string): readonly string[] =>
  Object.entries(measures).flatMap(([name, measure]) => {
    if (!('count' in measure) || measure.positive === undefined) return []
    const of = ['branch', `"${measure.count}"`, ...by].join(', ')
    return [`sum("${measure.positive}") over (partition by ${of}) as "${name}${suffix}"`]
  })

/**
 * The facts summed: by these groups, or over everything, or by groups with everything as one row that `is_whole`. A
 * group that has rows only in a range of comparison is no row; over everything there is always one. `bound`: how many
 * values are, the days of the range the last of them.
 */
function summed(
  analysis: Analysis,
  asked: {
    readonly groups: readonly string[] | null
    readonly shown: readonly string[]
    readonly withWhole?: boolean
    readonly besides?: readonly Against[]
  },
  grain: Grain | null,
  bound: number,
): Summed {
  const { measures } = analysis
  const { groups, shown, withWhole = false, besides = [] } = asked
  const columns = standing(analysis, groups ?? []).map(name => `"${name}"`)
  const by = [...(grain === null ? [] : ['analysed_period']), ...columns]
  const isWhole = `grouping(${by[0]}) = 1`
  const made = (name: string, branch: string, branchOfAll = branch): string | null => {
    const { day } = analysis
    const lastDay = lastDayOf(grain, bound)
    const sql = aggregate(measures[name]!, { branch, left: `${name}__left`, day, lastDay })
    if (!withWhole) return sql
    const ofAll = { branch: branchOfAll, left: `${name}__left_of_all`, day, lastDay: lastDayOf(null, bound) }
    const whole = aggregate(measures[name]!, ofAll)
    return whole === sql ? sql : `case when ${isWhole} then ${whole} else ${sql} end`
  }
  const now = Object.keys(measures).flatMap(name => {
    const sql = made(name, 'now')
    return sql === null ? [] : [`${sql} as "${name}"`]
  })
  const weights = Object.values(measures)
    .flatMap(measure => ('score' in measure ? Object.values(measure.score) : []))
    .map(column => `max("${column}") filter (where branch = 'now') as "${column}__weight"`)
  const before = compared(analysis, shown).map(
    ({ of, against }) =>
      `${made(of, against, besides.includes(against) ? ofAll(against) : against)} as "${of}__${against}"`,
  )
  const lefts = [...leftsOf(analysis, by, '__left'), ...(withWhole ? leftsOf(analysis, [], '__left_of_all') : [])]
  const among = withWhole ? `partition by ${IS_WHOLE}` : ''
  const sums = [...by, ...now, ...weights, ...before, ...(withWhole ? [`${isWhole} as ${IS_WHOLE}`] : [])]
  const sets = by.length === 0 ? '' : `group by ${withWhole ? `grouping sets ((${by.join(', ')}), ())` : by.join(', ')}`
  const have = groups === null ? '' : `having ${withWhole ? `${isWhole} or ` : ''}bool_or(branch = 'now')`
  return {
    sums: `counted as (select ${['*', ...lefts].join(', ')} from facts),
      summed as (select ${sums.join(', ')} from counted ${sets} ${have})`,
    columns: [
      ...columns,
      ...periodColumns(grain, bound),
      ...Object.entries(measures).map(
        ([name, measure]) => `${derived(measure, measures, among) ?? `"${name}"`} as "${name}"`,
      ),
    ],
    order: [...(grain === null ? [] : ['period_begin']), `"${analysis.main}" desc nulls last`, ...columns],
  }
}
