import { columnsWhenGrouped } from '#kernel/definition/report.ts'
import { type Measure, measureOf } from '#kernel/measure/measure.ts'
import { entities } from '#kernel/registry.ts'
import { today } from '#kernel/values/date.ts'
import { add, compare, type Decimal, sum } from '#kernel/values/decimal.ts'
import { daysOf } from '#kernel/wall/wall-definition.ts'
import { systemSession, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { listRecords } from '#server/records/read.ts'
import { hooks } from '#server/registry/hooks.ts'
import { ledgerFigure } from '#server/reports/ledger-figures.ts'
import { askedOf, isAsked, isRunning, type Place, placesOf, readingsOf } from '#server/reports/measured-places.ts'
import { measured, type MeasuredDays, sumsOf } from '#server/reports/measures.ts'
import { exportReport, runReport } from '#server/reports/report.ts'
import { read } from '#server/walls/wall.ts'

/** A place that shows a measure otherwise than its fact. */
export type Difference = {
  readonly measure: string
  /** The report, wall, board or process chart; `ledger`: what the ledgers say. */
  readonly report: string
  /** `total` of the page, its `export`, or the column by which it was grouped. */
  readonly place: string
  readonly value: Decimal | null
  readonly shown: Decimal
}

/** The number of compared places, and the differences. */
export type Compared = { readonly places: number; readonly differences: readonly Difference[] }

/** A figure as a place shows it, and the measure that it is, over the days of the place. */
export type Shown = Omit<Difference, 'value' | 'measure'> & { readonly measure: Measure; readonly days: MeasuredDays }

/** The figures that a room shows on pages without a definition: a home page, an answer. */
export type FigurePlaces = (tx: Tx, session: Session, days: MeasuredDays) => Promise<readonly Shown[]>
/** Somebody who reads every figure of his organisation. */
type Reader = {
  readonly tx: Tx
  readonly session: Session
  readonly days: MeasuredDays
  /** Totals alone: neither groups nor workbooks. */
  readonly totalsAlone: boolean
}

/** Most groups that are summed to be compared with the total. */
const MOST_GROUPS = '200'
/** Most rows of an export that are added up. */
const MOST_EXPORTED = 5000

const decimalOf = (value: unknown): Decimal => String(value ?? '0') as Decimal
const added = (rows: readonly Readonly<Record<string, unknown>>[], column: string): Decimal =>
  sum(
    rows.map(row => decimalOf(row[column])),
    2,
  )

/** The total of a page, of its workbook, and of its groups by each column; of rows without a page their sum. */
async function* shownByReport(
  { tx, session, days, totalsAlone }: Reader,
  at: Place,
): AsyncGenerator<Omit<Shown, 'days'>> {
  const { report, column, measure } = at
  const asked = askedOf(at, days)
  if (asked === null) return
  const shown = (place: string, value: Decimal) => ({ measure, report: report.kind, place, shown: value })
  if (report.screens.length === 0) {
    const [row] = await sumsOf(tx, session, { of: report, where: asked }, [column], [])
    yield shown('total', decimalOf(row![column]))
    return
  }
  if (!(report.totals as readonly string[] | undefined)?.includes(column)) return
  const { summary, total } = await runReport(tx, session, report, { ...asked, pageSize: '1' })
  yield shown('total', decimalOf(summary[column]))
  if (totalsAlone) return
  if (total <= MOST_EXPORTED) {
    let exported: Decimal = '0.00'
    for await (const batch of exportReport(session, report, asked).batches(tx))
      exported = add(exported, added(batch, column), 2)
    yield shown('export', exported)
  }
  for (const group of report.groupBy ?? []) {
    if (!(report.columns[group]?.orgs ?? session.org.type).includes(session.org.type)) continue
    if (!columnsWhenGrouped(report, [group]).includes(column)) continue
    const page = await runReport(tx, session, report, { ...asked, group_by: group, pageSize: MOST_GROUPS })
    if (page.total <= page.list.length) yield shown(group, added(page.list, column))
  }
}

/** The figures of walls and boards, of whole readings only. */
async function* shownByWalls({ tx, session, days }: Reader): AsyncGenerator<Shown> {
  const looking = { as: session, seesMoney: true, seesProfit: true }
  for (const each of readingsOf(session.org.type)) {
    const { of, reading, column, measure } = each
    if (!isAsked(each) && !isRunning(days)) continue
    const range = daysOf(reading.span, { begin: days.begin_date, end: days.end_date }, today())
    const asked = { days: { begin: days.begin_date, end: days.end_date }, filters: {} }
    const { rows, total } = await read(tx, reading, asked, looking, true)
    if (total > rows.length) continue
    const place = `${reading.of.kind}${reading.span === 'asked' ? '' : ` ${reading.span}`}`
    yield {
      measure,
      report: of,
      place,
      shown: added(rows, column),
      days: { begin_date: range.begin, end_date: range.end },
    }
  }
}

/** The figures of process charts; what stands at their steps is that of today. */
async function* shownByCharts({ tx, session, days }: Reader): AsyncGenerator<Omit<Shown, 'days'>> {
  for (const { flow, figures } of hooks().processCharts) {
    const money = isRunning(days) ? flow.steps.flatMap(step => step.money ?? []) : []
    const named = [...flow.cards, ...money].flatMap(({ figure, measure }) =>
      measure?.orgs.includes(session.org.type) ? [{ figure, measure }] : [],
    )
    if (named.length === 0) continue
    const asked = { from: days.begin_date, to: days.end_date, partner: null, mine: false }
    const worked = await figures(tx, session, asked)
    for (const { figure, measure } of named)
      yield { measure, report: `flow/${flow.name}`, place: figure, shown: decimalOf(worked.figures[figure]) }
  }
}

/** The sums of lists of records that stand for themselves: what stands in them is that of now. */
async function* shownByLists({ tx, session, days }: Reader): AsyncGenerator<Omit<Shown, 'days'>> {
  if (!isRunning(days)) return
  for (const definition of entities()) {
    const named = (definition.sums ?? []).flatMap(column => {
      const measure = measureOf(definition.fields[column], session.org.type)
      return measure === undefined ? [] : [{ column, measure }]
    })
    if (named.length === 0) continue
    const { summary } = await listRecords(tx, session, definition, { pageSize: '1' })
    for (const { column, measure } of named)
      yield { measure, report: definition.kind, place: `sum of ${column}`, shown: decimalOf(summary?.[column]) }
  }
}

/** Everything that shows a measure, over these days or over others that its place has. */
async function* everyPlace(reader: Reader, own: readonly Measure[]): AsyncGenerator<Shown> {
  const { tx, session, days } = reader
  for (const at of placesOf(session.org.type))
    for await (const shown of shownByReport(reader, at)) yield { ...shown, days }
  yield* shownByWalls(reader)
  for await (const shown of shownByCharts(reader)) yield { ...shown, days }
  for await (const shown of shownByLists(reader)) yield { ...shown, days }
  for (const places of hooks().figurePlaces) yield* await places(tx, session, days)
  for (const measure of own) {
    const shown = await ledgerFigure(tx, session.org.id, measure, days)
    if (shown !== null) yield { measure, report: 'ledger', place: 'total', shown, days }
  }
}

/**
 * Compares every place that shows a measure with the measure, for one organisation: totals, groups and workbooks of
 * pages, walls and boards, process charts, and the ledgers; `totalsAlone`: of pages their totals.
 */
export async function compareFigures(
  tx: Tx,
  org: Session['org'],
  days: MeasuredDays,
  totalsAlone = false,
): Promise<Compared> {
  const session = systemSession(org)
  const own = [...new Set(placesOf(org.type).map(({ measure }) => measure))]
  const known = new Map<string, ReadonlyMap<string, Decimal | null>>()
  const valueOf = async (measure: Measure, of: MeasuredDays): Promise<Decimal | null> => {
    const key = `${of.begin_date} ${of.end_date}`
    const values = known.get(key) ?? (await measured(tx, session, own, of))
    known.set(key, values)
    return values.get(measure.name) ?? null
  }
  const differences: Difference[] = []
  let places = 0
  for await (const { measure, days: shownFor, ...rest } of everyPlace({ tx, session, days, totalsAlone }, own)) {
    places += 1
    const value = await valueOf(measure, shownFor)
    if (value === null || compare(value, rest.shown) !== 0) differences.push({ measure: measure.name, value, ...rest })
  }
  return { places, differences }
}
