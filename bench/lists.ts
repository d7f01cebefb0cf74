import type { Bench } from './bench.ts'
import { report, sideBySide, timed } from './stopwatch.ts'

const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000)

/** A million papers of one organisation among others, with one line each. */
async function fill(bench: Bench): Promise<string> {
  const { owner } = bench.database
  const { id: org } = await bench.one<{ id: string }>("select id from organisation where code = 'H01'")
  const start = performance.now()
  await owner`
    insert into document (org_id, id, kind, sn, from_org_id, state, counterparty_id, warehouse_id, business_date, untaxed_amount, tax_amount, taxed_amount, line_count, total_quantity, created_by)
    select ${org}::bigint, 10000000 + n, 'purchaseGrn', 'RK' || to_char(date '2024-01-01' + n / 1400, 'YYMMDD') || lpad((n % 1400)::text, 4, '0'), ${org}::bigint,
           (array['reviewed','reviewed','reviewed','completed','draft','submitted','cancelled'])[1 + n % 7], (select array_agg(id) from organisation where system_type = 2)[1 + n % 3],
           (select id from warehouse where org_id = ${org} and model = 'central' order by id limit 1), date '2024-01-01' + n / 1400, n % 1000, 0, n % 1000, 1, 10, 0
      from generate_series(1, ${DOCUMENTS}::int) n on conflict do nothing`
  await owner`vacuum analyze document`
  console.log(
    `scale: ${DOCUMENTS} papers of one organisation, seeded in ${((performance.now() - start) / 1000).toFixed(0)} s`,
  )
  return org
}

/** Pages of a list in a million papers, over HTTP against the bare page by index. */
export async function benchLists(bench: Bench): Promise<void> {
  const org = await fill(bench)
  const hospital = await bench.client('hospital')
  const { owner } = bench.database
  const list = (query: string) => () => hospital.get(`/v1/business/purchaseGrn/list?${query}`)
  const page = () => owner`
    select d.*, o.name from document d left join organisation o on o.id = d.counterparty_id
     where d.org_id = ${org} and d.kind = 'purchaseGrn' and d.role = 'own' and d.state <> 'deleted' order by d.id desc limit 20`
  const first = list('pageSize=20')
  await first()
  const [ours, peer] = await sideBySide(5, first, page, 10)
  report('first page of a million papers over HTTP', ours, peer)
  const { next } = await hospital.get('/v1/business/purchaseGrn/list?pageSize=20&pageNum=400')
  report('deep page by key, against the first', await timed(30, list(`pageSize=20&after=${next}`)), ours, '≤ 2x')
  report(
    'filtered by state and month, against the first',
    await timed(30, list('state=submitted&begin_date=2025-03-01&end_date=2025-03-31')),
    ours,
  )
  report('one paper by its number, against the first', await timed(30, list('sn=RK2501010001')), ours)
}
