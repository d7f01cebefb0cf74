import { useEffect, useSyncExternalStore } from 'react'
import type { Query } from '#web/engine/page-context.ts'
import { createListeners } from '#web/engine/listeners.ts'
import { type Neighbours, neighboursIn } from '#web/list/page/neighbours.ts'

/** A row as its list opens it. */
export type Listed = { readonly key: string; readonly query: Query }

/** The rows that each list shows, in its order: what 上一张 and 下一张 go through. */
const listed = new Map<string, readonly Listed[]>()
const { subscribe, notify } = createListeners()

/** Keeps the rows of a list for the documents opened from it. */
export function useKeepListed(route: string, rows: readonly Listed[]): void {
  const names = rows.map(({ key, query }) => [key, ...Object.values(query)].join(' ')).join('|')
  useEffect(() => {
    listed.set(route, rows)
    notify()
    // oxlint-disable-next-line react/exhaustive-deps -- the names say what the rows are
  }, [route, names])
}

/** The rows before and after one, in the order of the list it was opened from; undefined where there is none. */
export function useNeighbours(route: string, key: string | null): Neighbours<Listed> {
  const rows = useSyncExternalStore(subscribe, () => listed.get(route))
  return neighboursIn(rows ?? [], row => row.key === key)
}
