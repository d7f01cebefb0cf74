import type { ParameterOrJSON } from 'postgres'
import { type Reading, STEP } from '#kernel/wall/wall-definition.ts'
import { bound, statementOf } from '#server/reports/report-sql.ts'

/** A reading as SQL with what is bound to it. */
export type ReadingStatement = { readonly text: string; readonly values: readonly ParameterOrJSON<never>[] }

/** The column with the number of all rows or groups, beside each of those that are taken. */
export const ALL = 'all_rows'
/** The column with the number of the report's rows in a group. */
export const ROWS = 'rows'

const formats = { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM' } as const

/**
 * A reading over the statement of its report. Names come from definitions, values are bound. A reader who may not see a
 * column gets groups in the order of another column: the order of amounts would reveal them.
 */
export function readingSql(
  reading: Reading,
  given: Readonly<Record<string, unknown>>,
  sees: (column: string) => boolean,
  take: number | null,
): ReadingStatement {
  const { text, unordered, names } = statementOf(reading.of)
  const values = bound(reading.of, names, given)
  const limit = take === null ? '' : ` limit ${take}`
  if (reading.rows) {
    const columns = reading.rows.map(name => `"${name}"`).join(', ')
    const ordered = reading.order ? ` order by "${reading.order}" nulls last` : ''
    return { text: `select ${columns}, count(*) over () as ${ALL} from (${text}) r${ordered}${limit}`, values }
  }
  const { by = [], sums = [], counts = {}, maxima = {}, medians = {}, step } = reading
  const groups = [...(step ? [`to_char("${step[0]}", '${formats[step[1]]}')`] : []), ...by.map(name => `"${name}"`)]
  const named = [...(step ? [`${groups[0]} as ${STEP}`] : []), ...by.map(name => `"${name}"`)]
  const figures = [
    ...sums.map(name => `coalesce(sum("${name}"), 0) as "${name}"`),
    ...Object.entries(counts).map(([name, column]) => {
      const columns = column.split('+').map(each => `"${each}"`)
      return `count(distinct ${columns.length === 1 ? columns[0] : `(${columns.join(', ')})`}) as "${name}"`
    }),
    ...Object.entries(maxima).map(([name, column]) => `max("${column}") as "${name}"`),
    ...Object.entries(medians).map(([name, column]) => `string_agg(round("${column}", 2)::text, ',') as "${name}"`),
    `count(*) as ${ROWS}`,
  ]
  const largest = sums.find(sees) ?? ROWS
  const order = step ? `1` : [`sum_of_order desc nulls last`, ...named.slice(0, 1)].join(', ')
  const ordering = largest === ROWS ? 'count(*)' : `sum("${largest}")`
  if (groups.length === 0) return { text: `select ${figures.join(', ')}, 1 as ${ALL} from (${unordered}) r`, values }
  return {
    text: `select ${[...named, ...figures].join(', ')}, ${ordering} as sum_of_order, count(*) over () as ${ALL}
      from (${unordered}) r group by ${groups.join(', ')} order by ${order}${limit}`,
    values,
  }
}
