import { useSyncExternalStore } from 'react'
import { HOME, placeAt } from '#web/shell/menu/screen-index.ts'

/** One open route. Its list stays behind the document opened in front of it. */
export type Tab = {
  readonly route: string
  readonly title: string
  /** Address of the list behind, with its filters. */
  readonly list: string | null
  /** Address of the document in front. */
  readonly detail: string | null
  /** The key the document in front was opened with: a new one keeps its page when it gets its number. */
  readonly document: string | null
  readonly front: 'list' | 'detail'
  readonly dirty: boolean
  /** Rendered once visited; tabs of an earlier session wait until then. */
  readonly visited: boolean
  readonly usedAt: number
}
type Deck = { readonly tabs: readonly Tab[]; readonly active: string }

export const TAB_CAP = 12
const STORE = 'open-tabs'
const home: Tab = {
  route: HOME,
  title: '工作台',
  list: HOME,
  detail: null,
  document: null,
  front: 'list',
  dirty: false,
  visited: false,
  usedAt: 0,
}

function remembered(): readonly Tab[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORE) ?? '[]') as readonly Tab[]
    return kept
      .filter(tab => tab.route !== HOME && placeAt(tab.route) !== null)
      .map(tab => ({ ...tab, dirty: false, visited: false }))
  } catch {
    return []
  }
}

let deck: Deck = { tabs: [home, ...remembered()], active: HOME }
const listeners = new Set<() => void>()
function settle(next: Deck): void {
  deck = next
  sessionStorage.setItem(STORE, JSON.stringify(next.tabs))
  for (const listener of listeners) listener()
}
const change = (route: string, patch: Partial<Tab>): readonly Tab[] =>
  deck.tabs.map(tab => (tab.route === route ? { ...tab, ...patch } : tab))

/** Closes the least recently used clean tab when there are too many. */
function withinCap(tabs: readonly Tab[], active: string): readonly Tab[] {
  if (tabs.length <= TAB_CAP) return tabs
  const oldest = tabs
    .filter(tab => tab.route !== HOME && tab.route !== active && !tab.dirty)
    .toSorted((a, b) => a.usedAt - b.usedAt)[0]
  return oldest === undefined ? tabs : tabs.filter(tab => tab !== oldest)
}

/**
 * Brings an address to the front, in the tab of its route. `sameDocument`: the document in front only got its
 * number.
 */
export function visit(pathname: string, search: string, sameDocument = false): void {
  const place = pathname === HOME ? null : placeAt(pathname)
  const route = place?.entry.screen.route ?? HOME
  const known = tabOf(route)
  const address = pathname + search
  const isKept = known?.document != null && (sameDocument || known.detail?.split('?')[0] === pathname)
  const shown: Partial<Tab> = place?.key
    ? { detail: address, document: isKept ? known.document : `${pathname}#${Date.now()}`, front: 'detail' }
    : { list: address, front: 'list' }
  const patch: Partial<Tab> = { ...shown, visited: true, usedAt: Date.now() }
  if (known !== undefined) return settle({ tabs: change(route, patch), active: route })
  const fresh: Tab = { ...home, route, title: place?.entry.screen.title ?? '', list: null, ...patch }
  settle({ tabs: withinCap([...deck.tabs, fresh], route), active: route })
}

/** The address a tab shows when it is activated again. */
export const addressOfTab = (tab: Tab): string =>
  (tab.front === 'detail' ? tab.detail : tab.list) ?? tab.list ?? tab.route

export const setDirty = (route: string, dirty: boolean): void => {
  const tab = deck.tabs.find(each => each.route === route)
  if (tab !== undefined && tab.dirty !== dirty) settle({ ...deck, tabs: change(route, { dirty }) })
}

/** The document in front is gone (deleted, discarded): its list is shown again. */
export const dropDetail = (route: string): void =>
  settle({ ...deck, tabs: change(route, { detail: null, document: null, front: 'list', dirty: false }) })

/** Closes tabs and returns the address to go to if the active one was among them. */
export function closeTabs(routes: readonly string[]): string | null {
  const kept = deck.tabs.filter(tab => tab.route === HOME || !routes.includes(tab.route))
  if (kept.some(tab => tab.route === deck.active)) {
    settle({ ...deck, tabs: kept })
    return null
  }
  const next = kept.toSorted((a, b) => b.usedAt - a.usedAt)[0] ?? home
  settle({ tabs: kept, active: next.route })
  return addressOfTab(next)
}

export const resetTabs = (): void => settle({ tabs: [{ ...home, visited: true }], active: HOME })
export const tabOf = (route: string): Tab | undefined => deck.tabs.find(tab => tab.route === route)
export const currentDeck = (): Deck => deck

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
export const useDeck = (): Deck => useSyncExternalStore(subscribe, currentDeck)
