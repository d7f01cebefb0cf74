import type { AnyReport } from '#kernel/definition/report.ts'
import { addDays } from '#kernel/values/date.ts'
import { reports } from '#app/modules.ts'
import type { Bench } from './bench.ts'
import { measureLists } from './lists.ts'
import { fillNetwork, type Network } from './network.ts'
import { benchPosting } from './posting.ts'
import { checked, report, sideBySide, timed } from './stopwatch.ts'
import { measureTrace } from './tracing.ts'

/** Milliseconds after which every connection has reported what it read. */
const REPORTED = 10_500
/** Row count above which no page may read the whole table. */
const MANY = 20_000
const LARGE = [
  'document',
  'document_line',
  'stock_move',
  'stock_balance',
  'unit',
  'unit_code',
  'trace_event',
  'month_opening',
]

/**
 * Five million documents, twenty million moves, ten million trace events and a million units of 500 organisations
 * (times `share`), bulk-loaded; then measures the hot paths and proves that none of them reads a large table as a
 * whole.
 */
export async function benchScale(bench: Bench, share: number): Promise<string[]> {
  const small = await fillNetwork(bench, share / 50)
  const before = await measureTrace(bench, small.code, small.lot)
  const network = await fillNetwork(bench, share)
  await proveIndexes(bench, network)
  const traced = async () => {
    const after = await measureTrace(bench, network.code, network.lot)
    report('trace of one unit, against a fiftieth of the size', after, before, { most: 2.5 })
  }
  return [
    ...(await checked(traced)),
    ...(await checked(() => measureLists(bench, network.org, network.month))),
    ...(await checked(() => measureReports(bench, network))),
    ...(await checked(() => measureEveryReport(bench, network))),
    ...(await checked(await benchPosting(bench))),
  ]
}

const paths = ({ month }: Network) => ({
  list: '/v1/business/purchaseGrn/list?pageSize=20',
  byState: `/v1/business/purchaseGrn/list?state=submitted&begin_date=${month}-01&end_date=${month}-28`,
  byPartner: `/v1/business/purchaseGrn/list?pageSize=20&q=${encodeURIComponent('南京')}`,
  byGoods: `/v1/business/purchaseGrn/list?pageSize=20&q=${encodeURIComponent('导管')}`,
  bySize: '/v1/business/purchaseGrn/list?pageSize=20&q=P001-01',
  stock: '/v1/business/stockBalance/list?pageSize=50',
  figures: `/v1/report/stockFinance?period=${month}&pageSize=50`,
  asOf: `/v1/report/stockAsOf?end_date=${month}-15&pageSize=50`,
  cards: `/v1/report/psiDetail?begin_date=${month}-01&end_date=${month}-28&pageSize=50`,
  inAndOut: `/v1/report/inventorySummaryReport?begin_date=${month}-01&end_date=${month}-28&pageSize=50`,
})

/** Calls every hot path and checks with PostgreSQL how often each large table was scanned sequentially meanwhile. */
async function proveIndexes(bench: Bench, network: Network): Promise<void> {
  const hospital = await bench.client('hospital')
  const vendor = await bench.client('vendor')
  const before = await wholeScans(bench)
  for (const path of Object.values(paths(network))) {
    await hospital.get(path)
    const read = await readSince(bench, before)
    if (read.length > 0) throw new Error(`${path} reads ${read.join(', ')} as a whole`)
  }
  await vendor.get(`/v1/trace?code=${network.code}`)
  await vendor.get(`/v1/trace?direction=forward&code=${network.lot}`)
  const read = await readSince(bench, before)
  if (read.length > 0) throw new Error(`trace or recall reads ${read.join(', ')} as a whole`)
  console.log('no hot path reads a large table as a whole')
}

/**
 * Sequential scans of each large table so far, derived from the rows read. Connections that idle report their counts
 * within ten seconds.
 */
async function wholeScans({ database: { owner } }: Bench): Promise<Map<string, number>> {
  await new Promise(resolve => setTimeout(resolve, REPORTED))
  const rows = await owner<{ name: string; scans: number }[]>`
    select relname as name, round(seq_tup_read::numeric / n_live_tup)::int as scans from pg_stat_user_tables
      where relname = any(${LARGE}) and n_live_tup > ${MANY}`
  return new Map(rows.map(row => [row.name, row.scans]))
}

/** The large tables that were read as a whole since `before`. */
async function readSince(bench: Bench, before: ReadonlyMap<string, number>): Promise<string[]> {
  const now = await wholeScans(bench)
  return [...now].filter(([name, scans]) => scans > (before.get(name) ?? 0)).map(([name]) => name)
}

/** A month's reports over HTTP, compared with summing the ledger of the same organisation. */
async function measureReports(bench: Bench, network: Network): Promise<void> {
  const hospital = await bench.client('hospital')
  const all = paths(network)
  const ledger = () => bench.database.owner`
    select warehouse_id, specification_id,
      sum(quantity) filter (where at < month_start(${`${network.month}-01`}::date)), sum(quantity), sum(value)
      from stock_move where org_id = ${network.org} group by 1, 2`
  const [summed, figures] = await sideBySide(3, ledger, () => hospital.get(all.figures), 3)
  report('summing the ledger, against the figures of a month', summed, figures, { least: 50 })
  report('stock as of a past day, against the same', await timed(5, () => hospital.get(all.asOf)), summed)
  report('cards of a month, against the same', await timed(5, () => hospital.get(all.cards)), summed)
  report('in and out of a month, against the same', await timed(5, () => hospital.get(all.inAndOut)), summed)
  report('first page of the stock, against the same', await timed(20, () => hospital.get(all.stock)), summed)
  const [found, first] = await sideBySide(
    5,
    () => hospital.get(all.byPartner),
    () => hospital.get(all.list),
    5,
  )
  report('documents by a word of the partner, against the first page', found, first)
}

/** The goal of every report: its first page of a month, against summing the stock of the month from its snapshot. */
const MOST = 40

/**
 * The first page of every report of a hospital and a dealer over a month in the middle: each must be fast. Tables that
 * reports read as a whole are listed at the end.
 */
async function measureEveryReport(bench: Bench, network: Network): Promise<void> {
  const snapshot = await timed(
    5,
    () => bench.database.owner`
    select warehouse_id, specification_id, sum(quantity), sum(value) from month_opening
     where org_id = ${network.org} and month = ${`${network.month}-01`}::date group by 1, 2`,
  )
  const readers = { H: await bench.client('hospital'), D: await bench.client('dealer') }
  const before = await wholeScans(bench)
  for (const [type, reader] of Object.entries(readers))
    for (const each of reports.filter(({ screens }) => screens.some(({ orgs }) => orgs.includes(type)))) {
      const path = firstPage(each, network.month)
      if (path === null) continue
      report(`${each.kind} of ${type}`, await timed(2, () => reader.get(path)), snapshot, { most: MOST })
    }
  console.log(`tables that reports read as a whole: ${(await readSince(bench, before)).join(', ') || 'none'}`)
}

const lastDayOf = (month: string): string => addDays(`${addDays(`${month}-28`, 4).slice(0, 7)}-01`, -1)

/** The first page of a report over a month; null of one that is asked for something else than a time. */
function firstPage({ kind, parameters }: AnyReport, month: string): string | null {
  const asked = { begin_date: `${month}-01`, end_date: lastDayOf(month), period: month }
  if (Object.entries(parameters).some(([name, field]) => field.required && !(name in asked))) return null
  const given = Object.entries(asked).filter(([name]) => name in parameters)
  return `/v1/report/${kind}?${new URLSearchParams([...given, ['pageSize', '50']])}`
}
