import type { OrgType } from '#kernel/values/organisation-type.ts'
import { screenAddress } from '#kernel/definition/screen.ts'
import { hooks } from '#server/registry/hooks.ts'
import { isFor, type Page, allPages } from '#server/menu/menu.ts'

/** A node of the full permission tree: a group, a page, or an operation on it, with the calls it protects. */
export type PermissionNode = {
  readonly key: string
  readonly parent: string | null
  readonly content: string
  readonly type: 1 | 2
  readonly level: number
  readonly route: string | null
  readonly flag: string | null
  readonly icon: string | null
  readonly orgs: readonly string[]
  readonly calls: readonly string[]
  readonly sort_no: number
}

/** Operations that only read data out. */
const readingFlags = new Set(['export', 'template'])
const methodOf = (flag: string): string => (readingFlags.has(flag) ? 'GET' : 'POST')
const ALL = ['P', 'H', 'D', 'V']

/** Everything the program has, as a flat tree in standard order, without pages that are in no menu. */
export function permissionNodes(): readonly PermissionNode[] {
  const { menuGroups } = hooks()
  const groups = menuGroups.map(({ title, icon }, at) => ({
    key: `group:${title}`,
    parent: null,
    content: title,
    type: 1 as const,
    level: 1,
    route: null,
    flag: null,
    icon,
    orgs: ALL,
    calls: [],
    sort_no: at * 10,
  }))
  const listed = allPages().filter(
    ({ screen }) => !screen.hidden && menuGroups.some(group => group.title === screen.menu),
  )
  return [
    ...groups,
    ...[...Map.groupBy(listed, page => page.screen.route).values()].flatMap((tabs, at) => pageNodes(tabs, at)),
  ]
}

/** The same page in another group, opened with filters: it is granted with the page, where its operations are. */
function elsewhere(tabs: readonly Page[], at: number): PermissionNode[] {
  const [first] = tabs
  if (!first?.screen.also) return []
  const { route, title, orgs, also } = first.screen
  const address = screenAddress(first.screen, null, also.with)
  return [
    {
      key: `page:${address}`,
      parent: `group:${also.menu}`,
      content: title,
      type: 1,
      level: 2,
      route: address,
      flag: `page:${route}`,
      icon: null,
      orgs: [...orgs],
      calls: [],
      sort_no: at * 10,
    },
  ]
}

/** A page and its operations. Lists that share a route are tabs of one page; each has its own operations and calls. */
function pageNodes(tabs: readonly Page[], at: number): PermissionNode[] {
  const [first] = tabs
  if (!first) return []
  const page = `page:${first.screen.route}`
  const orgsOf = ({ screen }: Page) => [...screen.orgs].filter(org => !screen.hiddenFor?.includes(org as OrgType))
  const call = ({ kind }: Page, name: string) => `/v1/business/${kind}/${name}`
  const operations = tabs.flatMap(tab =>
    tab.operations.map(operation => ({
      key: tab.kind === first.kind ? `${page}#${operation.flag}` : `${page}#${tab.kind}.${operation.flag}`,
      parent: page,
      content: operation.label,
      type: 2 as const,
      level: 3,
      route: null,
      flag: `${tab.kind}.${operation.flag}`,
      icon: null,
      orgs: orgsOf(tab).filter(org => isFor(operation, org)),
      calls:
        tab.kind === ''
          ? ['']
          : operation.call
            ? [operation.call]
            : operation.flag === 'scan'
              ? ['POST /v1/code/parse']
              : [`${methodOf(operation.flag)} ${call(tab, operation.beside ?? operation.flag)}`],
    })),
  )
  return [
    {
      key: page,
      parent: `group:${first.screen.menu}`,
      content: first.screen.title,
      type: 1,
      level: 2,
      route: first.screen.route,
      flag: page,
      icon: null,
      orgs: [...new Set(tabs.flatMap(orgsOf))],
      calls: [
        ...new Set(
          tabs.flatMap(tab => (tab.kind === '' ? [] : [`GET ${call(tab, 'list')}`, `GET ${call(tab, 'info')}`])),
        ),
      ],
      sort_no: at * 10,
    },
    ...elsewhere(tabs, at),
    // One kind may be on two tabs: its operations are listed once, for the organisations of both.
    ...[...Map.groupBy(operations, operation => operation.key).values()].map((same, place) => ({
      ...same[0]!,
      orgs: [...new Set(same.flatMap(operation => operation.orgs))],
      sort_no: place,
    })),
  ]
}
