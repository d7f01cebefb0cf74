import { createContext, use } from 'react'
import type { Screen } from '#kernel/definition/screen.ts'

export type Query = Readonly<Record<string, string>>

/** What a page may know of its place: the address it was opened with, even while another tab is in front. */
export type Page = {
  readonly screen: Screen
  /** The tabs of the page, its own among them; one where the route has a single screen. */
  readonly tabs: readonly Screen[]
  /** The row it shows, `new`, or null for the list. */
  readonly key: string | null
  readonly query: Query
  /** The number of a paper that the address asks to be opened from the list, as a message does. */
  readonly pointedAt: string | null
  /** In front of the user: hidden pages neither poll nor listen to keys. */
  readonly active: boolean
  /** Writes filters into the address; undefined and '' remove one. */
  readonly setQuery: (patch: Readonly<Record<string, string | undefined>>) => void
  /** Goes to a row, or back to the list. `samePaper`: the new paper in front got this number. */
  readonly open: (key: string | null, query?: Query, sameDocument?: boolean) => void
  /** Goes to any address of the house. */
  readonly go: (to: string) => void
  /** Says whether the page holds something unsaved: its tab shows a dot and closing asks. */
  readonly setDirty: (dirty: boolean) => void
  /** Leaves the row: the list comes back and the row is forgotten. */
  readonly leave: () => void
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = use(PageContext)
  if (page === null) throw new Error('usePage stands inside a tab')
  return page
}
