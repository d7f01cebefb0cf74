import type { Column, Pin } from '#web/list/table/column.ts'

/** One saved column, in the specified format plus two fields of our own. */
export type Kept = {
  readonly field: string
  readonly title: string
  readonly fixed?: 'right' | ''
  readonly fixedLeft?: boolean
  readonly hidden?: boolean
  readonly width?: number
}

const pinOf = (kept: Kept): Pin => (kept.fixedLeft ? 'left' : kept.fixed === 'right' ? 'right' : null)
export const keep = (column: Column): Kept => ({
  field: column.name,
  title: column.title,
  fixed: column.pin === 'right' ? 'right' : '',
  fixedLeft: column.pin === 'left',
  hidden: column.hidden,
  width: column.width,
})

/** The stored value as a list; if unreadable, there is no layout. */
export function readKept(columns: unknown): readonly Kept[] {
  try {
    const kept = typeof columns === 'string' ? (JSON.parse(columns) as unknown) : columns
    return Array.isArray(kept) ? (kept as Kept[]) : []
  } catch {
    return []
  }
}

/**
 * Applies the user's layout to the current columns: removed ones are dropped, new ones are where the definition has
 * them.
 */
export function arrange(columns: readonly Column[], kept: readonly Kept[]): readonly Column[] {
  if (kept.length === 0) return columns
  const places = new Map(kept.map((each, at) => [each.field, at]))
  const placeOf = (column: Column, at: number): number =>
    places.get(column.name) ?? (places.get(columns[at - 1]?.name ?? '') ?? -1) + 0.5
  return columns
    .map((column, at) => ({ column, place: placeOf(column, at) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ column }) => {
      const found = kept[places.get(column.name) ?? -1]
      return found === undefined
        ? column
        : { ...column, pin: pinOf(found), hidden: found.hidden === true, width: found.width ?? column.width }
    })
}
