import type { Row } from '#web/fields/field-renderer.ts'

export type Branch = { readonly row: Row; readonly depth: number; readonly opens: boolean }

/** A tree with more rows than this starts with its first level only. */
const AT_A_GLANCE = 200

/** Initially collapsed rows: none in a small tree, every row with children in a large one. */
export function foldedAtFirst(rows: readonly Row[], parent: string): ReadonlySet<string> {
  return new Set(rows.length > AT_A_GLANCE ? rows.map(row => String(row[parent])) : [])
}

/** Rows in tree order, without collapsed branches. A row whose parent is not in the list is at the top. */
export function branches(
  rows: readonly Row[],
  key: string,
  parent: string,
  folded: ReadonlySet<string>,
): readonly Branch[] {
  const known = new Set(rows.map(row => String(row[key])))
  const children = Map.groupBy(rows, row =>
    known.has(String(row[parent])) && row[parent] !== row[key] ? String(row[parent]) : '',
  )
  const shown: Branch[] = []
  const walk = (of: string, depth: number) => {
    for (const row of children.get(of) ?? []) {
      const own = String(row[key])
      shown.push({ row, depth, opens: (children.get(own)?.length ?? 0) > 0 })
      if (!folded.has(own)) walk(own, depth + 1)
    }
  }
  walk('', 0)
  return shown
}
