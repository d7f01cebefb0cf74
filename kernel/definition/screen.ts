import type { OrgType, OrgTypes } from '#kernel/values/organisation-type.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { falseFirst } from '#kernel/values/order.ts'

/** One route of the specification: which definition it shows, to whom, and which part of it. */
export type Screen<Column extends PropertyKey = string, Action extends string = string> = {
  readonly route: `/${string}`
  readonly title: string
  /** Organisation types whose menu has it. */
  readonly orgs: OrgTypes
  /** Level-1 menu group. */
  readonly menu: string
  /** Several screens of one route are its tabs, each of a definition of its own; this is what the tab is called. */
  readonly tab?: string
  /** Of tabs: this one stands first, whatever is behind it. */
  readonly leads?: boolean
  /** Of a tab: it shows how many of its rows these filters find. */
  readonly counted?: Readonly<Record<string, string>>
  /** One line under the title that says what the page is for. */
  readonly purpose: string
  /** List columns; figures, states and names come with them. */
  readonly columns: readonly (Column & string)[]
  readonly filters: readonly (Column & string)[]
  /** Columns that mean nothing to an organisation of this type. */
  readonly without?: { readonly [O in OrgType]?: readonly (Column & string)[] }
  /** States shown; default all. */
  readonly states?: readonly State[]
  /** Actions offered here; default all of the definition. */
  readonly actions?: readonly (Action | 'add' | 'edit' | 'del')[]
  /** The order of its rows until somebody chooses another, as a list is asked for it: `-is_urgent,planned_date`. */
  readonly sort?: string
  /** Fixed filters. */
  readonly where?: Readonly<Record<string, string>>
  /** The reference that in every row of this screen is the reader's own organisation: nobody is asked for it. */
  readonly ofOneself?: string
  /** Rows that somebody must act on: they stand on the workbench of whoever may do `action`, in these organisation types. */
  readonly waits?: {
    readonly action: Action
    readonly text: string
    readonly orgs: OrgTypes
    readonly where: Readonly<Record<string, string>>
  }
  /** It stands in another menu group as well, and opens from there with these filters chosen. */
  readonly also?: { readonly menu: string; readonly with: Readonly<Record<string, string>> }
  /** Shown by a page of its own instead of the engine's. */
  readonly page?: string
  /** The menu shows a twin once; this one is reachable but not listed. */
  readonly hidden?: boolean
  /** Organisation types whose menu has the twin instead: for them this route is reachable and not listed. */
  readonly hiddenFor?: OrgTypes
}

/** The tabs of a page in the order in which they stand. */
export const inTabOrder = <T>(tabs: readonly T[], screenOf: (tab: T) => Screen): T[] =>
  tabs.toSorted((a, b) => falseFirst(screenOf(b).leads ?? false, screenOf(a).leads ?? false))

/** What tells a screen from every other: its route, and its tab where it shares the route. */
export const screenKey = ({ route, tab }: Pick<Screen, 'route' | 'tab'>): string =>
  tab === undefined ? route : `${route}#${tab}`

/** The address of a screen, or of one row on it, with filters. */
export function screenAddress(
  { route, tab }: Pick<Screen, 'route' | 'tab'>,
  key: string | null = null,
  query: Readonly<Record<string, string>> = {},
): string {
  const path = key === null ? route : `${route}/${encodeURIComponent(key)}`
  const search = new URLSearchParams({ ...(tab === undefined ? {} : { tab }), ...query }).toString()
  return search === '' ? path : `${path}?${search}`
}
