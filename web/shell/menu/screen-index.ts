import type { AnyDocument } from '#kernel/definition/document.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import { fitsQuery, inTabOrder, type Screen, screenAddress } from '#kernel/definition/screen.ts'
import { currentSession } from '#web/engine/session/session.ts'
import { derived, documents, entities, reports, tools } from '#kernel/registry.ts'

/** A route and its content. */
export type ScreenEntry = { readonly screen: Screen } & (
  | { readonly shows: 'document'; readonly definition: AnyDocument }
  | { readonly shows: 'entity'; readonly definition: AnyEntity }
  | { readonly shows: 'report'; readonly definition: AnyReport }
  | { readonly shows: 'page'; readonly page: string }
)

/** A position inside a route: the list, `/new`, or one row by its number; with the tabs beside it. */
export type Place = { readonly entry: ScreenEntry; readonly tabs: readonly ScreenEntry[]; readonly key: string | null }

export const HOME = '/'
export const NEW = 'new'
/** 待我审批 belongs to the shell as the workbench does: everybody has it, and it lists what each may decide. */
export const APPROVALS: Screen = {
  route: '/commonView/approvals',
  title: '待我审批',
  orgs: 'PHDV',
  menu: '首页',
  purpose: '等待本人审核的单据和资料，按等待时长降序',
  columns: [],
  filters: [],
  page: 'approvals',
}

const pageOr = (screen: Screen, otherwise: ScreenEntry): ScreenEntry =>
  screen.page === undefined ? otherwise : { screen, shows: 'page', page: screen.page }

/** Tools first: where one shares a page with lists, its tab is the one available to everyone. */
function* everyEntry(): Generator<ScreenEntry> {
  yield { screen: APPROVALS, shows: 'page', page: 'approvals' }
  for (const screen of tools()) yield pageOr(screen, { screen, shows: 'page', page: '' })
  for (const definition of documents())
    for (const screen of definition.screens) yield pageOr(screen, { screen, shows: 'document', definition })
  for (const definition of reports())
    for (const screen of definition.screens) yield pageOr(screen, { screen, shows: 'report', definition })
  for (const definition of entities())
    for (const screen of definition.screens) yield pageOr(screen, { screen, shows: 'entity', definition })
}

const byRoute = derived(
  () =>
    new Map(
      [...Map.groupBy<string, ScreenEntry>(everyEntry(), entry => entry.screen.route)].map(([route, tabs]) => [
        route,
        inTabOrder(tabs, tab => tab.screen),
      ]),
    ),
)

/** A decoded part of an address; an invalid escape is kept as is, and matches no document. */
function readable(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A route may be another page for other types of organisations: the tabs of the reader's own. */
function ofReader(tabs: readonly ScreenEntry[]): readonly ScreenEntry[] {
  const org = currentSession()?.orgType
  const own = org === undefined ? [] : tabs.filter(({ screen }) => screen.orgs.includes(org))
  return own.length > 0 ? own : tabs
}

/** The screen for an address: the longest matching route, and its tab. A route may be nested under another. */
export function placeAt(address: string): Place | null {
  const [pathname = HOME, search = ''] = address.split('?')
  const parts = pathname.split('/')
  for (let length = parts.length; length >= 2; length--) {
    const all = byRoute().get(parts.slice(0, length).join('/'))
    if (all === undefined) continue
    const tabs = ofReader(all)
    const rest = parts.slice(length).join('/')
    const tab = new URLSearchParams(search).get('tab')
    const entry = tabs.find(candidate => candidate.screen.tab === tab) ?? tabs[0]!
    return { entry, tabs, key: rest === '' ? null : readable(rest) }
  }
  return null
}

export const entryAt = (route: string): ScreenEntry | undefined => byRoute().get(route)?.[0]
export const allEntries = (): readonly ScreenEntry[] => [...byRoute().values()].flat()

/**
 * The screen where an organisation of this type sees rows of a kind; if there are several, one that the reader has, of
 * these one with the requested rows, and of these the fullest.
 */
function screenOfKind(
  kind: string,
  org: OrgType,
  query: Readonly<Record<string, string>> = {},
  has: (route: string) => boolean = () => true,
): Screen | null {
  const every = allEntries().filter(
    entry => entry.shows !== 'page' && entry.definition.kind === kind && entry.screen.orgs.includes(org),
  )
  const own = every.filter(({ screen }) => has(screen.route))
  const fitting = own.length > 0 ? own : every
  const shown = fitting.filter(({ screen }) => fitsQuery(screen, query))
  const [widest] = (shown.length > 0 ? shown : fitting).toSorted((a, b) => narrowness(a.screen) - narrowness(b.screen))
  return widest?.screen ?? null
}
const narrowness = (screen: Screen): number => (screen.where ? 2 : 0) + (screen.states ? 1 : 0)

export const routeOfKind = (kind: string, org: OrgType): string | null => screenOfKind(kind, org)?.route ?? null

/** The address of a document for this organisation, or null if it has no page for the kind. */
export const addressOf = (
  kind: string,
  sn: string,
  org: OrgType,
  query: Readonly<Record<string, string>> = {},
  has?: (route: string) => boolean,
): string | null => {
  const screen = screenOfKind(kind, org, {}, has)
  return screen === null ? null : screenAddress(screen, sn, query)
}

/** The list address of documents, rows or reports of a kind for this organisation, under these filters. */
export const listAddressOf = (kind: string, org: OrgType, query: Readonly<Record<string, string>>): string | null => {
  const screen = screenOfKind(kind, org, query)
  return screen === null ? null : screenAddress(screen, null, query)
}

/** The kind whose rows a screen lists; null if it shows a custom page. */
export const kindOn = (screen: Screen): string | null => {
  const entry = byRoute()
    .get(screen.route)
    ?.find(candidate => candidate.screen.tab === screen.tab)
  return entry === undefined || entry.shows === 'page' ? null : entry.definition.kind
}
