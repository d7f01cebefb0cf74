import { createContext, use } from 'react'
import type { Screen } from '#kernel/definition/screen.ts'

export type Query = Readonly<Record<string, string>>

/** A page's view of its tab: the address it was opened with, even while another tab is in front. */
export type Page = {
  readonly screen: Screen
  /** All tabs of the page, including the current one; one if the route has a single screen. */
  readonly tabs: readonly Screen[]
  /** The row it shows, `new`, or null for the list. */
  readonly key: string | null
  readonly query: Query
  /** The number of a document that the address opens from the list, as a message does. */
  readonly pointedAt: string | null
  /** Visible to the user: hidden pages neither poll nor handle keys. */
  readonly active: boolean
  /** Writes filters into the address; undefined and '' remove one. */
  readonly setQuery: (patch: Readonly<Record<string, string | undefined>>) => void
  /** Opens a row, or the list. `sameDocument`: the new document on screen just got this number. */
  readonly open: (key: string | null, query?: Query, sameDocument?: boolean) => void
  /** Goes to any internal address. */
  readonly go: (to: string) => void
  /** Reports unsaved changes: the tab shows a dot and closing asks first. */
  readonly setDirty: (dirty: boolean) => void
  /**
   * Leaves the row: the list is shown and the row is forgotten. With the key of another row that one is shown instead,
   * with null the list; then what is not saved stays open in its own tab.
   */
  readonly leave: (to?: string | null, query?: Query) => void
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = use(PageContext)
  if (page === null) throw new Error('usePage stands inside a tab')
  return page
}
