import type { AnyDocument } from '#kernel/definition/document.ts'
import { addDays, type Day, startOf } from '#kernel/values/date.ts'
import type { FieldSpec } from '#kernel/definition/field.ts'
import { everyLineFilter, lineFilter, ownLineFilters } from '#kernel/definition/line-filters.ts'
import { type Condition, likePattern } from '#server/lists/query.ts'
import { derivedStateSql, figureSql } from '#server/documents/list/figures-sql.ts'
import { actorName, listColumn } from '#server/documents/list/computed-columns.ts'
import { dueSql } from '#server/documents/list/due-sql.ts'
import { codesNamedSql } from '#server/ledger/named-codes.ts'
import { headerColumns, storedColumn } from '#server/documents/repository/document.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { PendingQuery, Row } from 'postgres'

const namedColumns = new Set([
  'sn',
  'state',
  'created_at',
  'submitted_at',
  'reviewed_at',
  'untaxed_amount',
  'tax_amount',
  'taxed_amount',
  'rounding',
  'line_count',
  'total_quantity',
  'review_level',
])

/** Field kinds that are numbers: own fields are stored as text and are compared and sorted by their numeric value. */
const numbers = new Set(['count', 'quantity', 'price', 'amount', 'rate', 'taxRate'])
const nextDay = (day: Day): string => startOf(addDays(day, 1))

/** A timestamp is filtered by its day; the whole last day is included in the range. */
function momentSql(tx: Tx, column: PendingQuery<Row[]>, is: Condition['is'], day: Day) {
  if (is === 'from') return tx`${column} >= ${startOf(day)}::timestamptz`
  return is === 'to'
    ? tx`${column} < ${nextDay(day)}::timestamptz`
    : tx`${column} >= ${startOf(day)}::timestamptz and ${column} < ${nextDay(day)}::timestamptz`
}

/** The SQL behind a list column: a real column, a derived state, or the kind's own field. */
export function columnSql(tx: Tx, definition: AnyDocument, name: string) {
  if (name === 'overdue' && definition.lifecycle.dueDate) return dueSql(tx, definition, definition.lifecycle.dueDate)
  if (name === 'org_name') return tx`(select o.name from organisation o where o.id = d.from_org_id)`
  if (name === 'created_by_name') return actorName(tx, 'created_by')
  const computed = listColumn(name)
  if (computed) return computed(tx, definition)
  const purpose = definition.progress.statuses?.[name]
  if (purpose) return derivedStateSql(tx, definition, name, purpose)
  const figure = definition.progress.columns?.[name]
  if (figure) return figureSql(tx, definition, figure)
  if (namedColumns.has(name)) return tx`d.${tx(name)}`
  if (name in headerColumns) return tx`d.${tx(storedColumn(name))}`
  const own = definition.header[name]?.as
  if (own !== undefined && numbers.has(own)) return tx`(d.fields->>${name})::numeric`
  return own === 'instant' ? tx`(d.fields->>${name})::timestamptz` : tx`(d.fields->>${name})`
}

/** A list condition as SQL. */
export function conditionSql(tx: Tx, definition: AnyDocument, condition: Condition) {
  const column = columnSql(tx, definition, condition.name)
  const value = condition.value as string
  const isOwn =
    !namedColumns.has(condition.name) &&
    !(condition.name in headerColumns) &&
    !definition.progress.columns?.[condition.name]
  if (condition.field.as === 'instant') return momentSql(tx, column, condition.is, value as Day)
  switch (condition.is) {
    // A prefix as a range: LIKE is not leakproof and would scan every organisation's rows under the row policy.
    case 'contains':
      return condition.name === 'sn' || condition.name === 'source_sn'
        ? snSql(tx, column, value)
        : tx`${column} ilike ${value}`
    case 'among':
      return tx`${column}::text = any(${condition.value as string[]})`
    case 'from':
      return tx`${column} >= ${value}`
    case 'to':
      return tx`${column} <= ${value}`
    case 'holds':
      return tx`coalesce(d.fields->${condition.name}, '[]'::jsonb) ? ${value}`
    default:
      return isOwn ? tx`${column} = ${String(condition.value)}` : tx`${column} = ${value}`
  }
}

const snSql = (tx: Tx, column: PendingQuery<Row[]>, pattern: string) => {
  const text = pattern.slice(1, -1).replace(/\\(.)/g, '$1').toUpperCase()
  return tx`(${column} collate "C" >= ${text} and ${column} collate "C" < ${`${text}\uffff`})`
}

/** The line filters of a kind. */
export const lineFilters = (definition: AnyDocument): [string, FieldSpec][] =>
  [...everyLineFilter, ...ownLineFilters(definition)].map(name => [name, lineFilter(definition, name)!])

/** The condition of a line filter, over the line `l`. */
export function lineConditionSql(tx: Tx, name: string, value: string) {
  switch (name) {
    case 'specification_sn':
      return tx`l.specification_id = any(array(select z.id from specification z
        where z.id = ${value}::bigint or z.mapped_to_id = ${value}::bigint))`
    case 'lot_no':
      return tx`l.lot_no = any(array(select lot_numbers(${value})))`
    case 'unit_code':
      return tx`l.unit_codes && ${codesNamedSql(tx, value)}`
    case 'registration_no':
      return tx`l.specification_id = any(array(
        select s.id from specification s join registration_certificate c on c.id = s.registration_certificate_id
          where c.certificate_no ilike ${likePattern(value)} limit 5000))`
    default:
      return tx`l.fields->>${name} = ${value}`
  }
}
