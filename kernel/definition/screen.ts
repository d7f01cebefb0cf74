import type { OrgType, OrgTypes } from '#kernel/values/organisation-type.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { falseFirst } from '#kernel/values/order.ts'

/** One route of the specification: which definition it shows, to whom, and which part of it. */
export type Screen<Column extends PropertyKey = string, Action extends string = string> = {
  readonly route: `/${string}`
  readonly title: string
  /** Organisation types whose menu contains it. */
  readonly orgs: OrgTypes
  /** Level-1 menu group. */
  readonly menu: string
  /** Several screens on one route are its tabs, each with its own definition; this is the tab's name. */
  readonly tab?: string
  /** For tabs: this one comes first, regardless of its definition. */
  readonly leads?: boolean
  /** For a tab: it shows the number of its rows that match these filters. */
  readonly counted?: Readonly<Record<string, string>>
  /** For tabs of one kind: another tab, and its number, keep the filters of this one. */
  readonly sharesFilters?: true
  /** One line under the title that states what the page is for. */
  readonly purpose: string
  /** List columns; figures, states and names are added automatically. */
  readonly columns: readonly (Column & string)[]
  /**
   * The columns by which a row is recognised and judged, where the list's own choice does not fit. A list shows them
   * first, then the others as far as there is room; the rest is behind 列设置.
   */
  readonly keyColumns?: readonly (Column & string)[]
  readonly filters: readonly (Column & string)[]
  /** This page calls these columns and filters by other words than the definition. */
  readonly labels?: { readonly [C in Column & string]?: string }
  /** The same for filters alone, where the column of that name keeps its word. */
  readonly filterLabels?: { readonly [C in Column & string]?: string }
  /** This page calls these actions by other words where they are done on several ticked rows. */
  readonly batchLabels?: { readonly [A in Action & string]?: string }
  /** Names by which a message's address says a document's number: the page filters by it and opens the document. */
  readonly numberNames?: readonly string[]
  /** Columns that are meaningless to an organisation of this type. */
  readonly without?: { readonly [O in OrgType]?: readonly (Column & string)[] }
  /** States shown; default all. */
  readonly states?: readonly State[]
  /** Actions offered here; default all of the definition. */
  readonly actions?: readonly (Action | 'add' | 'edit' | 'del')[]
  /** Default row order, in the list's sort syntax: `-is_urgent,planned_date`. */
  readonly sort?: string
  /** Fixed filters. */
  readonly where?: Readonly<Record<string, string>>
  /** The reference that in every row of this screen is the reader's own organisation: users are not asked for it. */
  readonly ofOneself?: string
  /** Rows that need action: shown on the workbench of users who may do `action`, in these organisation types. */
  readonly waits?: {
    readonly action: Action
    readonly text: string
    readonly orgs: OrgTypes
    readonly where: Readonly<Record<string, string>>
  }
  /** Also listed in another menu group, where it opens with these filters. */
  readonly also?: { readonly menu: string; readonly with: Readonly<Record<string, string>> }
  /** Shown by a custom page instead of the engine's. */
  readonly page?: string
  /** Its page opens in a window of its own, without the shell: the menu opens one. */
  readonly apart?: true
  /** Other ways to see the same rows: a week of days, in lanes of who or what they take. */
  readonly views?: readonly ScreenView<Column, Action>[]
  /** The menu shows a duplicate once; this one is reachable but not listed. */
  readonly hidden?: boolean
  /** Organisation types whose menu has the duplicate instead: for them this route is reachable but not listed. */
  readonly hiddenFor?: OrgTypes
}

/**
 * A list seen as a week: its rows are cards on their days, with `lanes` one row of days for each value of a field. The
 * rows, filters and rights are those of the list.
 */
export type ScreenView<Column extends PropertyKey = string, Action extends string = string> = {
  /** In the address: `view=calendar`. */
  readonly name: string
  readonly label: string
  readonly orgs?: OrgTypes
  /** The instant that decides the day and time of a row. */
  readonly at: Column & string
  /** The columns that a card shows besides its number and time, most important first. */
  readonly shows: readonly (Column & string)[]
  /** A draft of ours that is put on another day is edited: the same time, that day. */
  readonly reschedules?: true
  /** The action, and its input for the new instant, by which one in force is put on another day. */
  readonly reschedulesBy?: { readonly action: Action & string; readonly input: string }
  readonly lanes?: {
    /** A reference, or a list of codes; a row with several codes is shown in several lanes. */
    readonly by: Column & string
    /** The name of the lane of rows without a value. */
    readonly nobody: string
    /** Records that have a lane even without a row; `as` is the field of the value, if not the key. */
    readonly of: { readonly kind: string; readonly as?: string; readonly where?: Readonly<Record<string, string>> }
    /** The first of these that the row allows is done when a card is put into another lane, with the lane's value. */
    readonly moves: readonly (Action & string)[]
  }
}

/** A field as this screen calls it. */
export const worded = <S extends { readonly label: string }>(screen: Screen | undefined, name: string, field: S): S => {
  const label = screen?.labels?.[name]
  return label === undefined ? field : { ...field, label }
}

/** A field as a filter of this screen calls it. */
export const filterWorded = <S extends { readonly label: string }>(screen: Screen, name: string, field: S): S => {
  const label = screen.filterLabels?.[name] ?? screen.labels?.[name]
  return label === undefined ? field : { ...field, label }
}

/** True if an address is a printed page: a sheet, or pictures. The menu does not list them. */
export const isPrintRoute = (route: string): boolean => route.startsWith('/newprint/') || route === '/pictureForprint'

/** The tabs of a page in display order. */
export const inTabOrder = <T>(tabs: readonly T[], screenOf: (tab: T) => Screen): T[] =>
  tabs.toSorted((a, b) => falseFirst(screenOf(b).leads ?? false, screenOf(a).leads ?? false))

/** A screen's unique key: its route, and its tab where it shares the route. */
export const screenKey = ({ route, tab }: Pick<Screen, 'route' | 'tab'>): string =>
  tab === undefined ? route : `${route}#${tab}`

/** True if a screen can show the rows of a query: the query asks for no other value of one of its fixed filters. */
export const fitsQuery = ({ where = {} }: Pick<Screen, 'where'>, query: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(where).every(([name, value]) => (query[name] ?? value) === value)

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
