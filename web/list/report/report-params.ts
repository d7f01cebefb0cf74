import { today } from '#kernel/values/date.ts'
import { f, type FieldSpec } from '#kernel/definition/field.ts'
import { crossed, PERIOD } from '#kernel/definition/analysis.ts'
import { type AnyReport, columnsThatStand, groupsAsked, groupsIn } from '#kernel/definition/report.ts'
import type { Query } from '#web/engine/page-context.ts'
import type { Filter } from '#web/list/page/FilterBar.tsx'

const BEGIN = 'begin_'

/** The grouping, and the columns across a cross table: address parts beside the parameters. */
export const GROUP_BY = 'group_by'
export const ACROSS = 'across'

/** True for the fields of a report that this user has: the columns by which it is grouped, and its parameters. */
export type Seen = (field: FieldSpec) => boolean

/** A report's parameters as filters, and its groupings. A matching first and last day are one range. */
export const reportFilters = (definition: AnyReport, seen: Seen): readonly Filter[] => [
  ...paramFilters(definition).filter(({ field }) => seen(field)),
  ...(definition.groupBy
    ? [{ name: GROUP_BY, field: f.pick(definition.analysis ? '统计维度' : '分组汇总', dimensionsOf(definition, seen)) }]
    : []),
  ...(definition.analysis && crossed(definition.analysis) !== null
    ? [
        {
          name: ACROSS,
          field: f.pick('交叉表', dimensionsOf(definition, seen), { hint: '选择后按该维度展开成列，只列主要金额' }),
          single: true,
        },
      ]
    : []),
]

/** The columns by which this user may group, with their labels. */
const dimensionsOf = (definition: AnyReport, seen: Seen): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (definition.groupBy ?? [])
      .filter(name => name === PERIOD || seen(definition.columns[name]!))
      .map(name => [name, grouping(definition, definition.columns[name]!.label)]),
  )

/** 按产品汇总 of rows that stand one by one; an analysis is always grouped, and names its dimensions alone. */
const grouping = ({ analysis }: AnyReport, label: string): string =>
  analysis ? label : `按${label.replace(/名称$/, '')}汇总`

/** The columns of a cross table: its groups, each value across, and the whole beside them. */
export function crossColumns(
  definition: AnyReport,
  query: Query,
  across: readonly { readonly name: string; readonly label: string }[],
): readonly (readonly [name: string, field: FieldSpec])[] {
  const { analysis, columns } = definition
  if (!analysis) return []
  const measure = columns[analysis.main]!
  const stand = columnsThatStand(definition, groupsAsked(definition, query[GROUP_BY]), query)
  return [
    ...stand.filter(name => !(name in analysis.measures)).map(name => [name, columns[name]!] as const),
    ...across.map(({ name, label }) => [name, { ...measure, label }] as const),
    [analysis.main, { ...measure, label: `${measure.label}合计` }],
  ]
}

/** The visible columns: those of the screen, or the grouping and the summed columns. */
export const standingColumns = (definition: AnyReport, query: Query, columns: readonly string[]): readonly string[] => {
  const groups = groupsAsked(definition, query[GROUP_BY])
  const standing = columnsThatStand(definition, groups, query)
  return groups.length === 0 ? columns.filter(name => standing.includes(name)) : standing
}
export const isGrouped = (query: Query): boolean => groupsIn(query[GROUP_BY]).length > 0

/** The label of a date range: 开票日期 if its first day is 开票日期起. */
const rangeOf = (label: string): string => (label.endsWith('日期起') ? label.slice(0, -1) : '日期')

const paramFilters = (definition: AnyReport): readonly Filter[] =>
  Object.entries(definition.parameters).flatMap(([name, field]): readonly Filter[] => {
    const stem = name.startsWith(BEGIN) ? name.slice(BEGIN.length) : null
    if (stem !== null && `end_${stem}` in definition.parameters)
      return [{ name: stem, field: f.day(rangeOf(field.label)) }]
    if (name.startsWith('end_') && `${BEGIN}${name.slice(4)}` in definition.parameters) return []
    return [{ name, field, single: true }]
  })

/** A report's default parameters: this month up to today, choices that have a default, and switches that begin on. */
export const standingParams = (definition: AnyReport): Query => ({
  ...(definition.analysis ? { [GROUP_BY]: definition.analysis.standard.join(',') } : {}),
  ...Object.fromEntries(
    Object.entries(definition.parameters).flatMap(([name, field]): [string, string][] => {
      if (field.default === 'month') return [[name, today().slice(0, 7)]]
      if (field.as === 'flag' && field.default === true) return [[name, 'true']]
      if (field.as === 'pick' && typeof field.default === 'string') return [[name, field.default]]
      if (field.as !== 'day' || !field.required) return []
      return [[name, name.startsWith(BEGIN) ? `${today().slice(0, 8)}01` : today()]]
    }),
  ),
})
