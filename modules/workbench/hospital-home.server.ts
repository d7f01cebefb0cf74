import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { documentOf, entityOf } from '#kernel/registry.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { type Screen, screenAddress } from '#kernel/definition/screen.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { addDays, clock, today } from '#kernel/values/date.ts'
import { homeCards, type HomeCard, type HomeFigure, hospitalHomeScreen } from '#modules/workbench/hospital-home.ts'
import type { Tx } from '#server/public/database.ts'
import { listDocuments } from '#server/public/documents.ts'
import { menuFor } from '#server/public/menu.ts'
import { employeeOf } from '#server/public/organisations.ts'
import { listRecords } from '#server/public/records.ts'
import { done, reading } from '#server/public/routes.ts'
import { may, maySeePrices, requirePermission, type Session } from '#server/public/session.ts'

/** How long figures are kept for the person they were computed for. */
const KEPT_MS = 5 * 60_000
/** Most people whose figures are kept at once. */
const MOST_KEPT = 2000
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** What the page may be narrowed by, as its lists are. */
type Narrowed = { readonly month: string; readonly by: Readonly<Record<string, string>> }
/** `text`, as `value` is money on the wire. */
type Shown = { readonly label: string; readonly text: string; readonly as: string; readonly route: string }
type Card = { readonly key: string; readonly title: string; readonly figures: readonly (Shown & { urgent?: true })[] }
type Home = { readonly cards: readonly Card[]; readonly is_ward: boolean; readonly at: string }
type Listing = { readonly screen: Screen } & (
  | { readonly is: 'document'; readonly definition: AnyDocument }
  | { readonly is: 'record'; readonly definition: AnyEntity }
)

/** The list that a figure is about, where the reader's menu has its page; null: it is neither computed nor shown. */
function listingOf({ kind, route, tab }: HomeFigure, pages: ReadonlySet<string>): Listing | null {
  const [document, record] = [documentOf(kind), entityOf(kind)]
  const definition = document ?? record
  const screen = (definition?.screens as readonly Screen[] | undefined)?.find(
    each => each.route === route && (tab === undefined || each.tab === tab) && each.orgs.includes('H'),
  )
  if (screen === undefined || !pages.has(route)) return null
  return document ? { is: 'document', screen, definition: document } : { is: 'record', screen, definition: record! }
}

/** The filters that the list knows, of those by which the page is narrowed. */
function whereOf(figure: HomeFigure, { screen }: Listing, { month, by }: Narrowed): Readonly<Record<string, string>> {
  const known = Object.entries(by).filter(([name]) => (screen.filters as readonly string[]).includes(name))
  return {
    ...figure.where,
    ...Object.fromEntries(known),
    ...(figure.ofMonth ? daysOf(month) : {}),
    ...(figure.lastWeekBy ? { [`begin_${figure.lastWeekBy}`]: addDays(today(), -6) } : {}),
  }
}

function daysOf(month: string): Readonly<Record<string, string>> {
  const last = new Date(`${month}-01T00:00:00Z`)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  return { begin_date: `${month}-01`, end_date: last.toISOString().slice(0, 10) }
}

/** Whether a sum of the list is money. */
const isMoney = ({ definition, is }: Listing, name: string): boolean =>
  is === 'document' ? name.endsWith('_amount') : definition.fields[name]?.as === 'amount'

/** One figure, read by the list's own function: what it says is what the page says. */
async function figureOf(
  tx: Tx,
  session: Session,
  figure: HomeFigure,
  listing: Listing,
  narrowed: Narrowed,
): Promise<Card['figures'][number] | null> {
  const { screen, definition } = listing
  const money = figure.sum !== undefined && isMoney(listing, figure.sum)
  if (money && !maySeePrices(session)) return null
  const where = whereOf(figure, listing, narrowed)
  const states = screen.states && where.state === undefined ? { state: screen.states.join(',') } : {}
  const asked = { ...screen.where, ...states, ...where, pageNum: '1', pageSize: '1' }
  const listed =
    listing.is === 'document'
      ? await listDocuments(tx, session, definition as AnyDocument, asked)
      : await listRecords(tx, session, definition as AnyEntity, asked)
  const summary = (listed as { readonly summary?: Readonly<Record<string, unknown>> }).summary ?? {}
  const text = figure.sum === undefined ? String(listed.total) : String(summary[figure.sum] ?? '0')
  const { label, urgent } = figure
  const as = figure.sum === undefined ? 'count' : money ? 'amount' : 'quantity'
  return { label, text, as, route: screenAddress(screen, null, where), ...(urgent ? { urgent } : {}) }
}

async function cardOf(
  tx: Tx,
  session: Session,
  card: HomeCard,
  pages: ReadonlySet<string>,
  narrowed: Narrowed,
): Promise<Card | null> {
  const figures: Card['figures'][number][] = []
  for (const figure of card.figures) {
    const listing = listingOf(figure, pages)
    const shown = listing && (await figureOf(tx, session, figure, listing, narrowed))
    if (shown) figures.push(shown)
  }
  return figures.length === 0 ? null : { key: card.key, title: card.title, figures }
}

/**
 * Whether this user works in a ward alone: all stores that he sees are wards', or those of his own department are.
 * Administrators run the whole hospital, whatever department they are of.
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

async function homeOf(tx: Tx, session: Session, narrowed: Narrowed): Promise<Home> {
  const groups = await menuFor(tx, session.org.type, session.org.id, flag => may(session, flag))
  const pages = new Set(groups.flatMap(group => group.children).map(page => page.uri))
  const is_ward = await isOfWard(tx, session)
  const cards: Card[] = []
  for (const card of homeCards) {
    if ((card.for === 'wards') !== is_ward) continue
    const shown = await cardOf(tx, session, card, pages, narrowed)
    if (shown) cards.push(shown)
  }
  return { cards, is_ward, at: (clock.at ?? new Date()).toISOString() }
}

type Kept = { readonly until: number; readonly home: Home }
const kept = new Map<string, Kept>()

const sorted = (all: 'all' | Iterable<string>): string => (all === 'all' ? 'all' : [...all].toSorted().join(','))

/** Figures are one person's, under the rights he has now. */
const keyOf = ({ org, userId, flags, warehouses, departments }: Session, narrowed: Narrowed): string =>
  JSON.stringify([org.id, userId, sorted(flags), sorted(warehouses), sorted(departments), narrowed])

function keep(key: string, home: Home, now: number): void {
  for (const [other, { until }] of kept) if (until <= now || kept.size >= MOST_KEPT) kept.delete(other)
  kept.set(key, { until: now + KEPT_MS, home })
}

function narrowedBy(query: Readonly<Record<string, unknown>>): Narrowed {
  const month = MONTH.test(String(query.month ?? '')) ? String(query.month) : today().slice(0, 7)
  const names = ['warehouse_model_inner_sn', 'department_inner_sn']
  const by = names.flatMap(name => (/^\d{1,18}$/.test(String(query[name] ?? '')) ? [[name, String(query[name])]] : []))
  return { month, by: Object.fromEntries(by) as Readonly<Record<string, string>> }
}

/** 医院首页: the cards of the reader's role; kept for five minutes, unless they are asked for again. */
export function addHospitalHome(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>('/v1/business/hospitalHome', request =>
    reading(sql, request, async (tx, session) => {
      if (!hospitalHomeScreen.orgs.includes(session.org.type)) throw new BusinessError('forbidden')
      requirePermission(session, `page:${hospitalHomeScreen.route}`)
      const narrowed = narrowedBy(request.query)
      const [key, now] = [keyOf(session, narrowed), (clock.at ?? new Date()).getTime()]
      const found = kept.get(key)
      if (found && found.until > now && request.query.refresh !== '1') return done({ info: found.home })
      const home = await homeOf(tx, session, narrowed)
      keep(key, home, now)
      return done({ info: home })
    }),
  )
}
