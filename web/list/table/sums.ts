import type { Row } from '#web/fields/field-renderer.ts'
import type { Column } from '#web/list/table/column.ts'

/** The unit in which every row of the filter is counted; empty where they differ. */
const UNIT = 'unit_name'

type Summed = Pick<Column, 'name' | 'field'>

/**
 * The sums that mean something: money always, pieces where all rows are counted in one unit, numbers of things where
 * the list counts them (`counts`). Prices and rates are never summed up.
 */
export function meaningfulSums(columns: readonly Summed[], summary: Row | undefined, counts = true): Row | undefined {
  if (summary === undefined) return undefined
  const isOneUnit = typeof summary[UNIT] === 'string' && summary[UNIT] !== ''
  const means = ({ field }: Summed) =>
    field.as === 'amount' || (field.as === 'count' && counts) || (field.as === 'quantity' && isOneUnit)
  const sums = columns.filter(column => means(column) && summary[column.name] !== undefined)
  if (sums.length === 0) return undefined
  return {
    ...Object.fromEntries(sums.map(({ name }) => [name, summary[name]])),
    ...(isOneUnit ? { [UNIT]: summary[UNIT] } : {}),
  }
}
