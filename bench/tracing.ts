import type { Bench } from './bench.ts'
import { report, sideBySide, timed } from './stopwatch.ts'

const UNITS = 20_000
const OTHERS = 180_000
const EVENTS = 8

/**
 * One lot of 20 000 units among 200 000, each with eight events along a chain of organisations; in COPY-sized
 * inserts.
 */
async function fill(bench: Bench): Promise<{ code: string; lot: string }> {
  const { owner } = bench.database
  const [spec] = await owner<
    { id: string; manufacturer: string }[]
  >`select s.id, p.manufacturer_id as manufacturer from specification s join product p on p.id = s.product_id
    where s.code = 'P001-01'`
  const orgs = await owner<
    { id: string }[]
  >`select id from organisation where code in ('V01', 'D01', 'H01') order by code desc`
  const lots = await owner<{ id: string; lot_no: string }[]>`
    insert into lot (specification_id, lot_no) select ${spec!.id}, 'TRACE' || n
      from generate_series(0, ${OTHERS / 1000}) n returning id, lot_no`
  const lot = lots[0]!
  await owner`insert into lot_org (lot_id, org_id) select l, o from unnest(${lots.map(row => row.id)}::bigint[]) l
    cross join unnest(${orgs.map(org => org.id)}::bigint[]) o`
  for (const [at, row] of lots.entries()) {
    const count = at === 0 ? UNITS : 1000
    await owner`
      with units as (
        insert into unit (lot_id, id, specification_id, status, holder_org_id, store, owner_id)
        select ${row.id}::bigint, nextval('unit_id_seq'), ${spec!.id}::bigint,
          case when n % 4 = 0 then 'used' else 'in_stock' end,
          case when n % 4 = 0 then null else (${orgs.map(org => org.id)}::bigint[])[1 + n % 3] end, '仓库',
          ${orgs[0]!.id}::bigint
          from generate_series(1, ${count}::int) n returning lot_id, id),
      codes as (insert into unit_code (code, bare, lot_id, unit_id, kind) select 'T' || lot_id || '-' || id,
        'T' || lot_id || '-' || id, lot_id, id, 'inhouse' from units returning 1)
      insert into trace_event (lot_id, unit_id, seq, step, org_id, from_org_id, from_place, to_org_id, to_place,
        quantity, document_kind, document_sn, line_no, actor, before)
      select lot_id, id, nextval('trace_seq'), 'transfer', ${spec!.manufacturer}::bigint,
        case when e = 1 then null else ${spec!.manufacturer}::bigint end, '仓库', ${spec!.manufacturer}::bigint, '仓库', 1,
        'bench', 'B' || e, 1, 'bench', '{"status":"in_stock"}'
        from units cross join generate_series(1, ${EVENTS}) e`
  }
  await owner`analyze`
  const { bare } = await bench.one<{ bare: string }>('select bare from unit_code where lot_id = $1 limit 1', lot.id)
  return { code: bare, lot: lot.lot_no }
}

/** Trace of one unit and recall of a lot of 20 000, over HTTP compared with the bare queries. */
export async function benchTrace(bench: Bench): Promise<() => Promise<unknown>> {
  const start = performance.now()
  const { code, lot } = await fill(bench)
  console.log(
    `scale: ${UNITS + OTHERS} units, ${(UNITS + OTHERS) * EVENTS} events, seeded in ` +
      `${((performance.now() - start) / 1000).toFixed(0)} s`,
  )
  return () => measureTrace(bench, code, lot)
}

/**
 * Trace of a code and recall of its lot by the manufacturer; returns the trace times, for comparison with another
 * size.
 */
export async function measureTrace(bench: Bench, code: string, lot: string): Promise<number[]> {
  const vendor = await bench.client('vendor')
  const { owner } = bench.database
  const unit = () => vendor.get(`/v1/trace?code=${code}`)
  const raw = async () => {
    const [row] = await owner<
      { lot_id: string; unit_id: string }[]
    >`select lot_id, unit_id from unit_code where bare = ${code}`
    await owner`select * from trace_event where lot_id = ${row!.lot_id} and unit_id = ${row!.unit_id} order by seq`
  }
  await unit()
  const [ours, peer] = await sideBySide(5, unit, raw, 20)
  report('trace of one unit over HTTP', ours, peer)
  const recall = () => vendor.get(`/v1/trace?direction=forward&code=${lot}`)
  const bare = () =>
    owner`select holder_org_id, status, count(*) from unit where lot_id = (select id from lot where lot_no = ${lot})
      group by 1, 2`
  await recall()
  const [whole, counted] = await sideBySide(3, recall, bare, 5)
  report('recall of its lot over HTTP', whole, counted)
  report('… against the trace of one unit', await timed(5, recall), ours, { most: 40 })
  return ours
}
