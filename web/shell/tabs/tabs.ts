import { useSyncExternalStore } from 'react'
import { HOME, NEW, type Place, placeAt } from '#web/shell/menu/screen-index.ts'
import { createListeners } from '#web/engine/listeners.ts'

/**
 * One open page: a list, or one document, of which several of a kind may be open. Pages that are no documents have one
 * tab a route, with the row in front of its list.
 */
export type Tab = {
  /** The route of a list; for a document its address when it was opened, and when that was. */
  readonly id: string
  readonly route: string
  readonly title: string
  /** Address of the list behind, with its filters. */
  readonly list: string | null
  /** Address of the document or row in front. */
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
  id: HOME,
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
      .filter(tab => tab.id !== undefined && tab.route !== HOME && placeAt(tab.route) !== null)
      .map(tab => ({ ...tab, dirty: false, visited: false }))
  } catch {
    return []
  }
}

let deck: Deck = { tabs: [home, ...remembered()], active: HOME }
const { subscribe, notify } = createListeners()
function settle(next: Deck): void {
  deck = next
  sessionStorage.setItem(STORE, JSON.stringify(next.tabs))
  notify()
}
const change = (id: string, patch: Partial<Tab>): readonly Tab[] =>
  deck.tabs.map(tab => (tab.id === id ? { ...tab, ...patch } : tab))

/** Closes the least recently used clean tab when there are too many. */
function withinCap(tabs: readonly Tab[], active: string): readonly Tab[] {
  if (tabs.length <= TAB_CAP) return tabs
  const oldest = tabs
    .filter(tab => tab.id !== HOME && tab.id !== active && !tab.dirty)
    .toSorted((a, b) => a.usedAt - b.usedAt)[0]
  return oldest === undefined ? tabs : tabs.filter(tab => tab !== oldest)
}

/** The way in which an address is visited. */
export type Visit = {
  /** The document in front only got its number. */
  readonly sameDocument?: boolean
  /** The tab that was chosen: two new documents have one address. */
  readonly tab?: string
  /** Back or forward: what is open comes back. */
  readonly isReturn?: boolean
}

const isDocument = (place: Place | null): boolean => place?.key != null && place.entry.shows === 'document'
/** The key of the document at an address: another organisation's document may have the same number. */
const documentAt = (address: string): string => {
  const [pathname = '', search = ''] = address.split('?')
  const asked = new URLSearchParams(search)
  return [pathname, asked.get('role') ?? '', asked.get('source_org_sn') ?? ''].join(' ')
}

/** The tab of a document: the one that was chosen, or shows it already; another new document gets another tab. */
function tabOfDocument(place: Place, address: string, { sameDocument, tab, isReturn }: Visit): Tab | undefined {
  const chosen = deck.tabs.find(each => each.id === (sameDocument ? deck.active : tab))
  if (chosen?.detail != null && chosen.route === place.entry.screen.route)
    if (sameDocument || documentAt(chosen.detail) === documentAt(address)) return chosen
  return deck.tabs
    .filter(each => each.list === null && each.detail !== null && documentAt(each.detail) === documentAt(address))
    .filter(each => place.key !== NEW || isReturn || !each.dirty)
    .toSorted((a, b) => b.usedAt - a.usedAt)[0]
}

/** Brings an address to the front: a list in the tab of its route, each document in its own. */
export function visit(pathname: string, search: string, way: Visit = {}): void {
  const place = pathname === HOME ? null : placeAt(pathname)
  const address = pathname + search
  const route = place?.entry.screen.route ?? HOME
  const known = place !== null && isDocument(place) ? tabOfDocument(place, address, way) : tabOf(route)
  const isKept =
    known?.document != null && (way.sameDocument || known.detail?.split('?')[0] === pathname || isDocument(place))
  const opened = `${pathname}#${Date.now()}`
  const shown: Partial<Tab> = place?.key
    ? { detail: address, document: isKept ? known.document : opened, front: 'detail' }
    : { list: address, front: 'list' }
  const name = place?.entry.screen.title ?? ''
  const title = isDocument(place) ? `${name} ${place?.key === NEW ? '新增' : place?.key}` : name
  const patch: Partial<Tab> = { ...shown, visited: true, usedAt: Date.now() }
  if (known !== undefined)
    return settle({ tabs: change(known.id, isDocument(place) ? { ...patch, title } : patch), active: known.id })
  const id = isDocument(place) ? opened : route
  const fresh: Tab = { ...home, id, route, title, list: null, ...patch }
  settle({ tabs: withinCap(placedIn(fresh), id), active: id })
}

/** The tab of a document is placed after the tabs of its kind. */
function placedIn(fresh: Tab): readonly Tab[] {
  const last = deck.tabs.findLastIndex(tab => tab.route === fresh.route)
  return last === -1 || fresh.list !== null ? [...deck.tabs, fresh] : deck.tabs.toSpliced(last + 1, 0, fresh)
}

/** The address a tab shows when it is activated again. */
export const addressOfTab = (tab: Tab): string =>
  (tab.front === 'detail' ? tab.detail : tab.list) ?? tab.list ?? tab.route

export const setDirty = (id: string, dirty: boolean): void => {
  const tab = tabOf(id)
  if (tab !== undefined && tab.dirty !== dirty) settle({ ...deck, tabs: change(id, { dirty }) })
}

/** Removes a row or document that is gone: a row gives way to its list, a document is removed with its tab. */
export function dropDetail(id: string): void {
  const tab = tabOf(id)
  if (tab === undefined) return
  if (tab.list === null && id !== tab.route) settle({ ...deck, tabs: deck.tabs.filter(each => each !== tab) })
  else settle({ ...deck, tabs: change(id, { detail: null, document: null, front: 'list', dirty: false }) })
}

/** Closes tabs and returns the one to go to if the active one was among them. */
export function closeTabs(ids: readonly string[]): Tab | null {
  const kept = deck.tabs.filter(tab => tab.id === HOME || !ids.includes(tab.id))
  if (kept.some(tab => tab.id === deck.active)) {
    settle({ ...deck, tabs: kept })
    return null
  }
  const next = kept.toSorted((a, b) => b.usedAt - a.usedAt)[0] ?? home
  settle({ tabs: kept, active: next.id })
  return next
}

export const resetTabs = (): void => settle({ tabs: [{ ...home, visited: true }], active: HOME })
/** A tab by its id; that of a list is its route. */
export const tabOf = (id: string): Tab | undefined => deck.tabs.find(tab => tab.id === id)
/** The list of a route as it was left. */
export const listAddress = (route: string): string => tabOf(route)?.list ?? route
export const currentDeck = (): Deck => deck

/** The route in front, whichever of its tabs it is. */
export const routeOfTab = ({ tabs, active }: Deck): string => tabs.find(tab => tab.id === active)?.route ?? HOME

export const useDeck = (): Deck => useSyncExternalStore(subscribe, currentDeck)
