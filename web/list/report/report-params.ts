import { today } from '#kernel/values/date.ts'
import { f } from '#kernel/definition/field.ts'
import { type AnyReport, columnsThatStand, groupsIn } from '#kernel/definition/report.ts'
import type { Query } from '#web/engine/page-context.ts'
import type { Filter } from '#web/list/page/FilterBar.tsx'

const BEGIN = 'begin_'

/** The grouping: an address part beside the parameters. */
const GROUP_BY = 'group_by'

/** A report's parameters as filters, and its groupings. A matching first and last day are one range. */
export const reportFilters = (definition: AnyReport): readonly Filter[] => [
  ...paramFilters(definition),
  ...(definition.groupBy
    ? [
        {
          name: GROUP_BY,
          field: f.pick(
            '分组汇总',
            Object.fromEntries(definition.groupBy.map(name => [name, definition.columns[name]!.label])),
          ),
        },
      ]
    : []),
]

/** The visible columns: those of the screen, or the grouping and the summed columns. */
export const standingColumns = (definition: AnyReport, query: Query, columns: readonly string[]): readonly string[] => {
  const groups = groupsIn(query[GROUP_BY])
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

/** A report's default parameters: this month up to today. */
export const standingParams = (definition: AnyReport): Query =>
  Object.fromEntries(
    Object.entries(definition.parameters).flatMap(([name, field]): [string, string][] => {
      if (field.default === 'month') return [[name, today().slice(0, 7)]]
      if (field.as !== 'day' || !field.required) return []
      return [[name, name.startsWith(BEGIN) ? `${today().slice(0, 8)}01` : today()]]
    }),
  )
