import { parseInteger } from '#kernel/values/integer.ts'
import type { Query } from '#web/engine/page-context.ts'
import type { Sort } from '#web/list/table/column.ts'

export const PAGE_SIZES = [20, 50, 100, 200] as const

/**
 * Parts of a list's address that are not filters: page, order, an opened row, and the view with its week. A name ending
 * in `~` is only the readable text of a reference filter.
 */
const own = new Set(['pageNum', 'pageSize', 'sort', 'row', 'view', 'week'])
/** Prefix of a field name: the initial value of a new row, when an address opens its form. */
export const NEW_VALUE = 'new.'
export const isFilter = (name: string): boolean => !own.has(name) && !name.endsWith('~') && !name.startsWith(NEW_VALUE)

export const filtersOf = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => isFilter(name)))

/** Initial values of a new row's form, by field. */
export const newValuesOf = (query: Query): Query =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      name.startsWith(NEW_VALUE) ? [[name.slice(NEW_VALUE.length), value]] : [],
    ),
  )

/** The same as parts of an address. */
export const newValueQuery = (values: Query): Query =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${NEW_VALUE}${name}`, value]))

export const sortOf = (query: Query): Sort => {
  const first = query.sort?.split(',')[0]
  return first === undefined || first === ''
    ? null
    : { name: first.replace(/^-/, ''), descending: first.startsWith('-') }
}
export const sortText = (sort: Sort): string | undefined =>
  sort === null ? undefined : `${sort.descending ? '-' : ''}${sort.name}`

export const pageOf = (query: Query) => ({
  pageNum: parseInteger(query.pageNum ?? 1) || 1,
  pageSize: parseInteger(query.pageSize ?? PAGE_SIZES[0]) || PAGE_SIZES[0],
})

/** The query sent to the server: the screen's fixed filters, those of the address, paging and order. */
export const askedOf = (query: Query, where: Query | undefined): Readonly<Record<string, unknown>> => ({
  ...where,
  ...filtersOf(query),
  ...pageOf(query),
  sort: query.sort,
})
