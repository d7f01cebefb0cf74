import { parseInteger } from '#kernel/values/integer.ts'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Bench } from './bench.ts'
import { report, sideBySide, timed } from './stopwatch.ts'

const DOCUMENTS = parseInteger(process.env.BENCH_DOCUMENTS ?? 1_000_000)

const STATES = ['reviewed', 'reviewed', 'reviewed', 'completed', 'draft', 'submitted', 'cancelled']
const A_DAY = 1400
const BATCH = 5000

/** Documents of three years, as COPY text. */
function* rows(org: string, partners: readonly string[], warehouse: string): Generator<string> {
  let text = ''
  for (let n = 1; n <= DOCUMENTS; n++) {
    const day = new Date(Date.UTC(2024, 0, 1 + Math.floor(n / A_DAY))).toISOString().slice(0, 10)
    const sn = `RK${day.slice(2).replaceAll('-', '')}${String(n % A_DAY).padStart(4, '0')}`
    text +=
      `${org}\t${10_000_000 + n}\tpurchaseGrn\t${sn}\t${org}\t${STATES[n % 7]}\t${partners[n % 3]}\t` +
      `${warehouse}\t${day}\t${n % 1000}\t0\t${n % 1000}\t1\t10\t0\n`
    if (n % BATCH === 0 || n === DOCUMENTS) {
      yield text
      text = ''
    }
  }
}

/** A million documents of one organisation among others, loaded by COPY. */
async function fill(bench: Bench): Promise<string> {
  const { owner } = bench.database
  const { id: org } = await bench.one<{ id: string }>("select id from organisation where code = 'H01'")
  const start = performance.now()
  const partners = (
    await owner<{ id: string }[]>`select id from organisation where system_type = 2 order by id limit 3`
  ).map(row => row.id)
  const { id: warehouse } = await bench.one<{ id: string }>(
    "select id from warehouse where org_id = $1 and model = 'central' order by id limit 1",
    org,
  )
  const copy = await owner`
    copy document (org_id, id, kind, sn, from_org_id, state, counterparty_id, warehouse_id, business_date,
      untaxed_amount, tax_amount, taxed_amount, line_count, total_quantity, created_by) from stdin`.writable()
  await pipeline(Readable.from(rows(org, partners, warehouse)), copy)
  await owner`vacuum analyze document`
  console.log(
    `scale: ${DOCUMENTS} documents of one organisation, seeded in ${((performance.now() - start) / 1000).toFixed(0)} s`,
  )
  return org
}

/** List pages over a million documents: over HTTP compared with the bare index page query. */
export async function benchLists(bench: Bench): Promise<() => Promise<void>> {
  const org = await fill(bench)
  return () => measureLists(bench, org, '2025-03')
}

/** List pages of a hospital with many receipts; `month` is one in the middle of them. */
export async function measureLists(bench: Bench, org: string, month: string): Promise<void> {
  const hospital = await bench.client('hospital')
  const { owner } = bench.database
  const list = (query: string) => () => hospital.get(`/v1/business/purchaseGrn/list?${query}`)
  const page = () => owner`
    select d.*, o.name from document d left join organisation o on o.id = d.counterparty_id
     where d.org_id = ${org} and d.kind = 'purchaseGrn' and d.role = 'own' and d.state <> 'deleted' order by d.id desc
       limit 20`
  const { sn } = await bench.one<{ sn: string }>(
    "select sn from document where org_id = $1 and kind = 'purchaseGrn' and role = 'own' offset 5000 limit 1",
    org,
  )
  const first = list('pageSize=20')
  await first()
  const [ours, peer] = await sideBySide(5, first, page, 10)
  report('first page of many documents over HTTP', ours, peer)
  const { next } = await hospital.get('/v1/business/purchaseGrn/list?pageSize=20&pageNum=400')
  report('deep page by key, against the first', await timed(30, list(`pageSize=20&after=${next}`)), ours, {
    most: 2,
  })
  report(
    'filtered by state and month, against the first',
    await timed(30, list(`state=submitted&begin_date=${month}-01&end_date=${month}-28`)),
    ours,
  )
  report('one document by its number, against the first', await timed(30, list(`sn=${sn}`)), ours)
}
