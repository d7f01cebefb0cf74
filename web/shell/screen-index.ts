import type { AnyDocument } from '#kernel/document.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { OrgType } from '#kernel/organisation.ts'
import type { AnyReport } from '#kernel/report.ts'
import type { Screen } from '#kernel/screen.ts'
import { documents, entities, reports } from '#modules/registry.ts'
import { ownScreens } from '#modules/registry.web.ts'

/** A route and what stands behind it. */
export type ScreenEntry = { readonly screen: Screen } & (
  | { readonly shows: 'document'; readonly definition: AnyDocument }
  | { readonly shows: 'entity'; readonly definition: AnyEntity }
  | { readonly shows: 'report'; readonly definition: AnyReport }
  | { readonly shows: 'page'; readonly page: string }
)

/** A place inside a route: the list itself, `/new`, or one row by its number. */
export type Place = { readonly entry: ScreenEntry; readonly key: string | null }

export const HOME = '/'
export const NEW = 'new'

const pageOr = (screen: Screen, otherwise: ScreenEntry): ScreenEntry =>
  screen.page === undefined ? otherwise : { screen, shows: 'page', page: screen.page }

function* everyEntry(): Generator<ScreenEntry> {
  for (const definition of documents)
    for (const screen of definition.screens) yield pageOr(screen, { screen, shows: 'document', definition })
  for (const definition of entities)
    for (const screen of definition.screens) yield pageOr(screen, { screen, shows: 'entity', definition })
  for (const definition of reports)
    for (const screen of definition.screens) yield pageOr(screen, { screen, shows: 'report', definition })
  for (const screen of ownScreens) yield pageOr(screen, { screen, shows: 'page', page: '' })
}

const byRoute = new Map<string, ScreenEntry>()
for (const entry of everyEntry()) if (!byRoute.has(entry.screen.route)) byRoute.set(entry.screen.route, entry)

/** The screen a path belongs to: the longest route that it begins with. One route may stand under another. */
export function placeAt(pathname: string): Place | null {
  const parts = pathname.split('/')
  for (let length = parts.length; length >= 2; length--) {
    const entry = byRoute.get(parts.slice(0, length).join('/'))
    if (entry === undefined) continue
    const rest = parts.slice(length).join('/')
    return { entry, key: rest === '' ? null : decodeURIComponent(rest) }
  }
  return null
}

export const entryAt = (route: string): ScreenEntry | undefined => byRoute.get(route)
export const allEntries = (): readonly ScreenEntry[] => [...byRoute.values()]

/** The route under which an organisation of this type sees papers of a kind; the fullest list when there are several. */
export function routeOfKind(kind: string, org: OrgType): string | null {
  const fitting = allEntries().filter(
    entry => entry.shows !== 'page' && entry.definition.kind === kind && entry.screen.orgs.includes(org),
  )
  const widest = fitting.toSorted((a, b) => narrowness(a.screen) - narrowness(b.screen))[0]
  return widest?.screen.route ?? null
}
const narrowness = (screen: Screen): number => (screen.where ? 2 : 0) + (screen.states ? 1 : 0)

/** Where one paper is shown to this organisation, or null when it has no page for its kind. */
export const addressOf = (kind: string, sn: string, org: OrgType): string | null => {
  const route = routeOfKind(kind, org)
  return route === null ? null : `${route}/${encodeURIComponent(sn)}`
}
