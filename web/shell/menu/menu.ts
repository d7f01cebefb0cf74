import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type FieldSpec, rightsToRead } from '#kernel/definition/field.ts'
import { get } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { entryAt } from '#web/shell/menu/screen-index.ts'

/** A menu entry from the server; type 2 is an operation of the page above it. */
export type MenuItem = {
  readonly content: string
  readonly title: string
  readonly uri: string
  readonly icon: string
  readonly type: number
  readonly flag: string
  readonly level: number
  readonly children?: readonly MenuItem[]
}
export type MenuPage = { readonly route: string; readonly title: string; readonly group: string }
/** A page listed in its group through another one: the address opens it with preset filters. */
export type MenuLink = MenuPage & { readonly address: string }
export type MenuGroup = {
  readonly title: string
  readonly icon: string
  readonly pages: readonly MenuPage[]
  readonly links: readonly MenuLink[]
}
export type Menu = {
  readonly groups: readonly MenuGroup[]
  /** Operations allowed, by route of their page. */
  readonly operations: ReadonlyMap<string, ReadonlySet<string>>
  /** Rights that are neither page nor button: viewing prices, viewing patients. Null until loaded. */
  readonly rights: ReadonlySet<string> | null
}

const OPERATION = 2
const routeOf = (item: MenuItem): string => (item.uri.startsWith('/') ? item.uri : `/${item.uri}`)
const isPage = (item: MenuItem): boolean =>
  item.type !== OPERATION && entryAt(routeOf(item).split('?')[0]!) !== undefined
const isLink = (item: MenuItem): boolean => item.uri.includes('?')

function* pagesUnder(item: MenuItem): Generator<MenuItem> {
  for (const child of item.children ?? []) {
    if (isPage(child)) yield child
    yield* pagesUnder(child)
  }
}

function menuOf(tree: readonly MenuItem[], rights: readonly string[]): Menu {
  const operations = new Map<string, ReadonlySet<string>>()
  const groups = tree.map(group => {
    const under = [...pagesUnder(group)]
    const [links, pages] = [under.filter(isLink), under.filter(item => !isLink(item))]
    for (const page of pages)
      operations.set(
        routeOf(page),
        new Set((page.children ?? []).filter(child => child.type === OPERATION).map(child => child.flag)),
      )
    return {
      title: group.title,
      icon: group.icon,
      pages: pages.map(page => ({ route: routeOf(page), title: page.title, group: group.title })),
      links: links.map(link => ({
        route: routeOf(link).split('?')[0]!,
        address: routeOf(link),
        title: link.title,
        group: group.title,
      })),
    }
  })
  return {
    groups: groups.filter(group => group.pages.length + group.links.length > 0),
    operations,
    rights: new Set(rights),
  }
}

const nothing: Menu = { groups: [], operations: new Map(), rights: null }

/** The signed-in user's menu. Pages the server offers but this version does not have are omitted. */
export function useMenu(): { readonly menu: Menu; readonly ready: boolean } {
  const asked = useQuery({
    queryKey: ['menu'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { list, info } = await get<{ rights?: readonly string[] }, MenuItem>('/v1/user/get_user_menu/yrtweb')
      return menuOf(list, info?.rights ?? [])
    },
  })
  return { menu: asked.data ?? nothing, ready: asked.isSuccess }
}

/**
 * Returns whether this user may run an action of a kind on a page. A page that no menu lists has the permissions of the
 * listed page of the kind.
 */
export function useMay(route: string, kind: string): (action: string) => boolean {
  const { menu } = useMenu()
  const flags = menu.operations.get(route)
  if (flags === undefined && entryAt(route)?.screen.hidden === true)
    return action => [...menu.operations.values()].some(listed => listed.has(`${kind}.${action}`))
  return action => flags !== undefined && (flags.has(action) || flags.has(`${kind}.${action}`))
}

/**
 * True if this user may see a field: the server sends no money and no patient data without permission, and pages
 * omit such fields, as well as fields irrelevant to the user's kind of organisation.
 */
export function useCanSeeField(): (
  field: Pick<FieldSpec, 'as' | 'worth' | 'measures' | 'patient' | 'orgs'>,
) => boolean {
  const { menu } = useMenu()
  const { rights } = menu
  // Patient data stays inside the hospital, whatever the rights.
  const type = useSession()?.orgType
  const patients = type === 'H' && (rights?.has('patient') ?? true)
  return useCallback(
    field =>
      (field.orgs === undefined || (type !== undefined && field.orgs.includes(type))) &&
      rightsToRead(field, type ?? '').every(right => rights?.has(right) ?? true) &&
      (patients || field.patient !== true),
    [rights, patients, type],
  )
}
