import { measureOf } from '#kernel/measure/measure.ts'
import { reportOf } from '#kernel/registry.ts'
import { type Day, isLastOfMonth, today } from '#kernel/values/date.ts'
import { type Decimal, sum } from '#kernel/values/decimal.ts'
import { homeCards, homeCharts } from '#modules/platform/workbench/hospital-home.ts'
import {
  chartOf,
  daysOf,
  daysOfChart,
  fieldOf,
  figureOf,
  listingOf,
  listReader,
  type Look,
  MOST_BARS,
} from '#modules/platform/workbench/hospital-home.server.ts'
import type { Tx } from '#server/public/database.ts'
import type { FigurePlaces } from '#server/public/reports.ts'
import type { Session } from '#server/public/session.ts'

type Found = Awaited<ReturnType<FigurePlaces>>

/** Every page: what is compared is what the home page says, and not who may read it. */
const routes = (): ReadonlySet<string> =>
  new Set([
    ...homeCards.flatMap(({ figures }) => figures.map(({ route }) => route)),
    ...homeCharts.map(({ route }) => route),
  ])

/** The sums of its cards. */
async function ofCards(look: Look, org: Session['org']): Promise<Found> {
  const found: Found[number][] = []
  for (const { key, figures } of homeCards)
    for (const figure of figures) {
      const listing = listingOf(figure, look)
      if (figure.sum === undefined || listing === null) continue
      const measure = measureOf(fieldOf(listing, figure.sum), org.type, figure.where)
      const isNarrowed = Object.keys(figure.where).some(name => !(name in (measure?.where ?? {})))
      if (measure === undefined || isNarrowed) continue
      const shown = await figureOf(figure, look)
      const days = figure.ofMonth ? daysOf(look.narrowed.month) : { begin_date: today(), end_date: today() }
      if (shown) found.push({ measure, report: 'hospitalHome', place: key, shown: shown.text as Decimal, days })
    }
  return found
}

/** The sums of its charts; a ranking that is full leaves others out. */
async function ofCharts(look: Look, org: Session['org']): Promise<Found> {
  const found: Found[number][] = []
  for (const chart of homeCharts) {
    const { begin_date, end_date } = daysOfChart(chart, look.narrowed.month)
    const shown = await chartOf(chart, look)
    if (shown === null || (chart.form === 'bars' && shown.rows.length === MOST_BARS)) continue
    const days = { begin_date: begin_date ?? end_date, end_date }
    const added = (at: readonly number[]): Decimal =>
      sum(
        shown.rows.flatMap(({ values }) => at.map(place => values[place] as Decimal)),
        2,
      )
    for (const [at, column] of Object.keys(chart.of).entries()) {
      const measure = measureOf(reportOf(chart.kind)?.columns[column], org.type)
      if (measure) found.push({ measure, report: 'hospitalHome', place: chart.key, shown: added([at]), days })
    }
    const all = Object.keys(chart.of).map((_, at) => at)
    if (chart.whole)
      found.push({ measure: chart.whole, report: 'hospitalHome', place: chart.key, shown: added(all), days })
  }
  return found
}

/** The figures of 医院首页 that are measures, for a whole month or the running one. */
export const homeFigures: FigurePlaces = async (tx: Tx, session, { begin_date, end_date }) => {
  const isMonth =
    begin_date === (`${end_date.slice(0, 7)}-01` as Day) && (end_date === today() || isLastOfMonth(end_date))
  if (session.org.type !== 'H' || !isMonth) return []
  const narrowed = { month: end_date.slice(0, 7), campus: null, by: {} }
  const look = { session, pages: routes(), narrowed, withheld: new Set<string>(), read: listReader(tx, session) }
  return [...(await ofCards(look, session.org)), ...(await ofCharts(look, session.org))]
}
