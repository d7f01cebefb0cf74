import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { headerField } from '#kernel/definition/common-fields.ts'
import { derivedField } from '#kernel/definition/progress-fields.ts'
import { documentOf, entityOf, reportOf } from '#kernel/registry.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { changeOf, comparedWith, comparedWords } from '#kernel/values/comparison.ts'
import type { FieldSpec } from '#kernel/definition/field.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import { type Screen, screenAddress } from '#kernel/definition/screen.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { addDays, clock, type Day, instant, MONTH, monthEnd, shiftMonths, today } from '#kernel/values/date.ts'
import { type Decimal, round, zero } from '#kernel/values/decimal.ts'
import {
  homeCards,
  type HomeCard,
  homeCharts,
  type HomeChart,
  type HomeFigure,
  hospitalHomeScreen,
  type ShownCard,
  type ShownChart,
  type ShownFigure,
  type ShownHome,
} from '#modules/platform/workbench/hospital-home.ts'
import type { Tx } from '#server/public/database.ts'
import { listDocuments } from '#server/public/documents.ts'
import { menuFor } from '#server/public/menu.ts'
import { employeeOf } from '#server/public/organisations.ts'
import { listRecords } from '#server/public/records.ts'
import { runReport } from '#server/public/reports.ts'
import { asks, done, reading } from '#server/public/routes.ts'
import {
  campusesOf,
  inCampus,
  isRestricted,
  may,
  maySeePrices,
  requirePermission,
  type Session,
  WHOLE_ONLY,
} from '#server/public/session.ts'

/** The time for which figures are kept for the person they were computed for. */
const KEPT_MS = 5 * 60_000
/** Most people whose figures are kept at once. */
const MOST_KEPT = 2000

/** The choices that narrow the page and its lists; a campus narrows the reader's own view over all of them. */
type Narrowed = {
  readonly month: string
  readonly campus: string | null
  readonly by: Readonly<Record<string, string>>
}
type Listing = { readonly screen: Screen } & (
  | { readonly is: 'document'; readonly definition: AnyDocument }
  | { readonly is: 'record'; readonly definition: AnyEntity }
  | { readonly is: 'report'; readonly definition: AnyReport }
)
type Row = Readonly<Record<string, unknown>>
type Listed = { readonly total: number; readonly summary?: Row; readonly list: readonly Row[] }
/** The reader, the pages and choices that he looks at, and the way he reads a list. */
export type Look = {
  readonly session: Session
  readonly pages: ReadonlySet<string>
  readonly narrowed: Narrowed
  /** The titles of pages whose figures this reader does not read. */
  readonly withheld: Set<string>
  readonly read: (listing: Listing, asked: Readonly<Record<string, string>>) => Promise<Listed>
}

/** The page of what is named, where the reader's menu has it; null: it is neither computed nor shown. */
export function listingOf(
  { kind, route, tab }: Pick<HomeFigure, 'kind' | 'route' | 'tab'>,
  look: Look,
): Listing | null {
  const [document, record, report] = [documentOf(kind), entityOf(kind), reportOf(kind)]
  const definition = document ?? record ?? report
  const screen = (definition?.screens as readonly Screen[] | undefined)?.find(
    each => each.route === route && (tab === undefined || each.tab === tab) && each.orgs.includes('H'),
  )
  if (screen === undefined || !look.pages.has(route)) return null
  if (document) return { is: 'document', screen, definition: document }
  return record ? { is: 'record', screen, definition: record } : { is: 'report', screen, definition: report! }
}

/** A page that is opened from here shows the same campus. */
const there = ({ campus }: Narrowed): Readonly<Record<string, string>> => (campus === null ? {} : { of_campus: campus })

/** True if the page can be narrowed by this. */
const narrows = (listing: Listing, name: string): boolean =>
  listing.is === 'report'
    ? name in listing.definition.parameters
    : (listing.screen.filters as readonly string[]).includes(name)

/** The filters of the home that this page has too. */
const narrowedTo = (listing: Listing, { by }: Narrowed): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(by).filter(([name]) => narrows(listing, name)))

const whereOf = (figure: HomeFigure, listing: Listing, narrowed: Narrowed): Readonly<Record<string, string>> => ({
  ...figure.where,
  ...narrowedTo(listing, narrowed),
  ...(figure.ofMonth ? daysOf(narrowed.month) : {}),
  ...(figure.lastWeekBy ? { [`begin_${figure.lastWeekBy}`]: addDays(today(), -6) } : {}),
})

type Days = { readonly begin_date: Day; readonly end_date: Day }
const firstOf = (month: string): Day => `${month}-01` as Day
export const daysOf = (month: string, from = month): Days => ({
  begin_date: firstOf(from),
  end_date: monthEnd(firstOf(month)),
})

export const fieldOf = (listing: Listing, name: string): FieldSpec | undefined =>
  listing.is === 'document'
    ? (headerField(listing.definition, name) ?? derivedField(listing.definition, name))
    : listing.is === 'record'
      ? listing.definition.fields[name]
      : listing.definition.columns[name]
/** True if a sum of the page is money. */
const isMoney = (listing: Listing, name: string): boolean => fieldOf(listing, name)?.as === 'amount'

/** The explanation of a figure: its sentence, the page from which it is read, and its days. */
const saysOf = ({ hint, sum, ofMonth }: HomeFigure, listing: Listing, { month }: Narrowed): readonly string[] => {
  const { title, tab } = listing.screen
  const days = ofMonth ? Object.values(daysOf(month)).join(' 至 ') : null
  const said = hint ?? (sum === undefined ? null : fieldOf(listing, sum)?.hint)
  return [said, `取自${title}${tab === undefined ? '' : `“${tab}”`}`, days && `期间：${days}`].filter(
    line => !!line,
  ) as string[]
}

/** Reads pages by their own functions, each once: the number and the sum of a card come from the same reading. */
export function listReader(tx: Tx, session: Session): Look['read'] {
  const known = new Map<string, Promise<Listed>>()
  const list = ({ is, definition }: Listing, asked: Readonly<Record<string, string>>): Promise<Listed> => {
    if (is === 'report') return runReport(tx, session, definition, asked)
    return is === 'document'
      ? (listDocuments(tx, session, definition, asked) as Promise<Listed>)
      : (listRecords(tx, session, definition, asked) as Promise<Listed>)
  }
  return (listing, asked) => {
    const key = JSON.stringify([listing.definition.kind, asked])
    const listed = known.get(key) ?? list(listing, asked)
    known.set(key, listed)
    return listed
  }
}

/** The columns that name the store and the department of a document. */
const PLACES = ['warehouse_model_inner_sn', 'to_warehouse_model_inner_sn', 'department_inner_sn'] as const

/**
 * True if the sums of a page are over the whole organisation: a user who is bound to a part of it does not see them.
 */
const isOverAll = ({ is, definition }: Listing): boolean =>
  is === 'document' ? !PLACES.some(name => name in definition.header) : definition.wholeOnly !== undefined

/** One figure, with the same value as its page. */
export async function figureOf(figure: HomeFigure, look: Look): Promise<ShownFigure | null> {
  const { session, narrowed, read } = look
  const listing = listingOf(figure, look)
  if (listing === null) return null
  const { screen } = listing
  const money = figure.sum !== undefined && isMoney(listing, figure.sum)
  if (money && !maySeePrices(session)) return null
  if ((money || listing.is !== 'document') && isOverAll(listing) && isRestricted(session)) {
    look.withheld.add(listing.screen.title)
    return null
  }
  const where = whereOf(figure, listing, narrowed)
  const states = screen.states && where.state === undefined ? { state: screen.states.join(',') } : {}
  const summed: Readonly<Record<string, string>> =
    listing.is === 'document' && figure.sum !== undefined ? { summed: figure.sum } : {}
  const ask = (more: Readonly<Record<string, string>> = {}) =>
    read(listing, { ...screen.where, ...states, ...where, ...summed, ...more, pageNum: '1', pageSize: '1' })
  const { total, summary } = await ask()
  const sumOf = (of: Row | undefined): Decimal => String(of?.[figure.sum!] ?? '0') as Decimal
  const text = figure.sum === undefined ? String(total) : sumOf(summary)
  const days = daysOf(narrowed.month)
  const on = [{ begin: days.begin_date, end: days.end_date }, 'month', 'previous', today()] as const
  const then = comparedWith(...on)
  const before = figure.compared ? sumOf((await ask({ begin_date: then.begin, end_date: then.end })).summary) : null
  const { label, urgent } = figure
  const as = figure.sum === undefined ? 'count' : money ? 'amount' : 'quantity'
  return {
    label,
    text,
    as,
    route: screenAddress(screen, null, { ...where, ...there(narrowed) }),
    says: saysOf(figure, listing, narrowed),
    ...(urgent ? { urgent } : {}),
    ...(before === null ? {} : { change: changeOf(text as Decimal, before), compared: comparedWords(...on) }),
  }
}

/** Most bars of a ranking. */
export const MOST_BARS = 10
/** Most rows of any other chart: a column a month, a part for each owner and kind of store. */
const MOST_ROWS = 12

/** The days of a chart of a month. */
export const daysOfChart = ({ days }: HomeChart, month: string): Partial<Days> & Pick<Days, 'end_date'> =>
  days === 'today'
    ? { end_date: today() }
    : days === 'month'
      ? daysOf(month)
      : daysOf(month, shiftMonths(firstOf(month), 1 - MOST_ROWS).slice(0, 7))

/** Rows of a report under the conditions that its page opens with. */
export async function chartOf(chart: HomeChart, look: Look): Promise<ShownChart | null> {
  const { session, narrowed, read } = look
  const { key, title, form, asked, of } = chart
  const listing = listingOf(chart, look)
  if (listing === null || listing.is !== 'report' || !maySeePrices(session)) return null
  if (isOverAll(listing) && isRestricted(session)) {
    look.withheld.add(listing.screen.title)
    return null
  }
  const where = { ...asked, ...narrowedTo(listing, narrowed), ...daysOfChart(chart, narrowed.month) }
  const address = (more: Readonly<Record<string, string>> = {}) =>
    screenAddress(listing.screen, null, { ...where, ...more, ...there(narrowed) })
  const { list } = await read(listing, {
    ...where,
    pageNum: '1',
    pageSize: String(form === 'bars' ? MOST_BARS : MOST_ROWS),
  })
  const { columns } = listing.definition
  const called = (row: Row): string =>
    asked.group_by
      .split(',')
      .map(name => columns[name]?.choices?.[String(row[name])] ?? row[name] ?? '未分')
      .join(' · ')
  const rows = list.map(row => ({
    label: called(row),
    values: Object.keys(of).map(name => round(String(row[name] ?? zero) as Decimal, 2)),
    route: address(
      Object.fromEntries(
        Object.entries(chart.keys).flatMap(([parameter, column]) =>
          (row[column] ?? null) === null ? [] : [[parameter, String(row[column])]],
        ),
      ),
    ),
  }))
  return { key, title, form, series: Object.values(of), rows, route: address() }
}

async function cardOf(card: HomeCard, look: Look): Promise<ShownCard | null> {
  const figures: ShownFigure[] = []
  for (const figure of card.figures) {
    const shown = await figureOf(figure, look)
    if (shown) figures.push(shown)
  }
  return figures.length === 0 ? null : { key: card.key, title: card.title, figures }
}

/**
 * True if this user works in a ward alone: all stores that he sees are wards', or those of his own department are.
 * Administrators run the whole hospital, whatever their department.
 */
async function isOfWard(tx: Tx, session: Session): Promise<boolean> {
  const { warehouses, departments, org, flags } = session
  const isWhole = warehouses === 'all' && departments === 'all'
  if (isWhole && flags === 'all') return false
  const employee = isWhole ? await employeeOf(tx, session) : null
  if (isWhole && employee === null) return false
  const his = isWhole
    ? tx`w.department_id = (select e.department_id from employee e where e.org_id = ${org.id} and e.id = ${employee})`
    : tx`${warehouses === 'all' ? tx`true` : tx`w.id = any(${[...warehouses]}::bigint[])`}
        and ${departments === 'all' ? tx`true` : tx`w.department_id = any(${[...departments]}::bigint[])`}`
  const [row] = await tx<{ stores: number; others: number }[]>`
    select count(*)::int as stores, count(*) filter (where w.model not in ('ward', 'cabinet'))::int as others
      from warehouse w where w.org_id = ${org.id} and w.status = 'enabled' and ${his}`
  return row!.stores > 0 && row!.others === 0
}

async function homeOf(tx: Tx, session: Session, narrowed: Narrowed): Promise<ShownHome> {
  const groups = await menuFor(tx, session.org.type, session.org.id, flag => may(session, flag))
  const pages = new Set(groups.flatMap(group => group.children).map(page => page.uri))
  const reader: HomeCard['for'] = (await isOfWard(tx, session)) ? 'wards' : 'stores'
  const seen = narrowed.campus === null ? session : await inCampus(tx, session, narrowed.campus)
  const look = { session: seen, pages, narrowed, withheld: new Set<string>(), read: listReader(tx, seen) }
  const cards: ShownCard[] = []
  for (const card of homeCards.filter(each => each.for === reader)) {
    const shown = await cardOf(card, look)
    if (shown) cards.push(shown)
  }
  const charts: ShownChart[] = []
  for (const chart of reader === 'stores' ? homeCharts : []) {
    const shown = await chartOf(chart, look)
    if (shown) charts.push(shown)
  }
  const withheld = look.withheld.size === 0 ? null : `${[...look.withheld].join('、')}${WHOLE_ONLY}`
  return { cards, charts, withheld, campuses: await campusesOf(tx, session), at: instant() }
}

type Kept = { readonly until: number; readonly home: ShownHome }
const kept = new Map<string, Kept>()

const sorted = (all: 'all' | Iterable<string>): string => (all === 'all' ? 'all' : [...all].toSorted().join(','))

/** Figures are one person's, under the rights he has now. */
const keyOf = ({ org, userId, flags, warehouses, departments }: Session, narrowed: Narrowed): string =>
  JSON.stringify([org.id, userId, sorted(flags), sorted(warehouses), sorted(departments), narrowed])

function keep(key: string, home: ShownHome, now: number): void {
  for (const [other, { until }] of kept) if (until <= now || kept.size >= MOST_KEPT) kept.delete(other)
  kept.set(key, { until: now + KEPT_MS, home })
}

/** The longest name of a campus. */
const MOST_LETTERS = 60
/** Before it nobody has figures. */
const FIRST_MONTH = '2000-01'

/** The store and the department that the page may be narrowed to. */
const NARROWING = ['warehouse_model_inner_sn', 'department_inner_sn']

function narrowedBy(query: Readonly<Record<string, unknown>>): Narrowed {
  const [asked, current] = [String(query.month ?? ''), today().slice(0, 7)]
  const month = MONTH.test(asked) && asked >= FIRST_MONTH && asked <= current ? asked : current
  const by = NARROWING.flatMap(name =>
    /^\d{1,18}$/.test(String(query[name] ?? '')) ? [[name, String(query[name])]] : [],
  )
  const campus = String(query.campus ?? '').slice(0, MOST_LETTERS) || null
  return { month, campus, by: Object.fromEntries(by) as Readonly<Record<string, string>> }
}

/** A store or department that the reader does not see is refused as one that does not exist. */
function refuseHidden({ warehouses, departments }: Session, { by }: Narrowed): void {
  const seen = { warehouse_model_inner_sn: warehouses, department_inner_sn: departments }
  for (const [name, among] of Object.entries(seen)) {
    const asked = by[name]
    if (asked === undefined || among === 'all' || among.has(asked)) continue
    const msg = `【${name === 'department_inner_sn' ? '科室' : '仓库'}】不存在，请重新选择`
    throw new BusinessError('invalid', msg, [{ field: name, msg }])
  }
}

/** 医院首页: the cards and charts of the reader's role; kept for five minutes, unless the user refreshes them. */
export function addHospitalHome(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/v1/business/hospitalHome',
    asks('month', 'campus', ...NARROWING, { refresh: ['0', '1'] }),
    request =>
      reading(sql, request, async (tx, session) => {
        if (!hospitalHomeScreen.orgs.includes(session.org.type)) throw new BusinessError('forbidden')
        requirePermission(session, `page:${hospitalHomeScreen.route}`)
        const narrowed = narrowedBy(request.query)
        refuseHidden(session, narrowed)
        const [key, now] = [keyOf(session, narrowed), (clock.at ?? new Date()).getTime()]
        const found = kept.get(key)
        if (found && found.until > now && request.query.refresh !== '1') return done({ info: found.home })
        const home = await homeOf(tx, session, narrowed)
        keep(key, home, now)
        return done({ info: home })
      }),
  )
}
