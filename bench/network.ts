import { closeMonths } from '#server/ledger/month-close.ts'
import type { Bench } from './bench.ts'

/** Sizes at share 1. The number of lots is prime, so that every organisation gets all of them. */
const FULL = { organisations: 500, documents: 5_000_000, moves: 20_000_000, lots: 10_007, units: 1_000_000, events: 10 }
const SUPPLIERS = 200
const MONTHS = 24
/** The other organisations have fewer lots each. */
const LOTS_ELSEWHERE = 397
/**
 * A code and its lot at the tested manufacturer, the hospital that owns a fifth of all rows (as a dealer does), and a
 * month in the middle.
 */
export type Network = { readonly code: string; readonly lot: string; readonly org: string; readonly month: string }

/**
 * SQL for the place of the hospital or dealer to whom the document of a number belongs: two of five belong to the first
 * hospital and the first dealer, which are tested.
 */
const ownerOf = (n: string) =>
  `case ${n} % 5 when 0 then 1 when 1 then 2 else 3 + (${n} % (cardinality(orgs) - 2))::int end`
/** SQL for the place of the lot of its one line. */
const lotOf = (n: string) => `1 + ${n} % case when ${n} % 5 <= 1 then ${FULL.lots} else ${LOTS_ELSEWHERE} end`
/** The documents that hospitals and dealers write most: moves in the wards of a hospital, and in its central store. */
const WARD_KINDS = ['departmentUse', 'grantOdo', 'departmentUse', 'surgeryUse', 'grantReturn']
const STORE_KINDS = ['purchaseGrn', 'purchaseGrn', 'purchaseOrder', 'settlementGrn', 'requisition']
const TRADE_KINDS = ['saleOdo', 'salesOrder', 'saleOdo', 'purchaseGrn', 'saleReturn']
const oneOf = (n: string, kinds: readonly string[]) => `(array['${kinds.join("','")}'])[1 + ${n} / 7 % ${kinds.length}]`
/** The number of documents after which the two tested organisations have moved each of their lots once more. */
const ROUND = 5 * FULL.lots
/** Every other round is of the wards. */
const isOfWards = (n: string) => `${n} / ${ROUND} % 2 = 1`
const isWards = (n: string) => `${n} % 5 = 0 and ${isOfWards(n)}`
/** SQL for the place of the ward of the document of a number: a lot lies in three of them. */
const wardOf = (n: string) => `1 + (${lotOf(n)} + 7 * (${n} / ${2 * ROUND} % 3)) % cardinality(wards)`
/** SQL for the kind of the document of a number. */
const kindOf = (n: string) =>
  `case when ${n} % 5 = 1 then ${oneOf(n, TRADE_KINDS)} when ${isOfWards(n)} then ${oneOf(n, WARD_KINDS)}
    else ${oneOf(n, STORE_KINDS)} end`
/** A ward's requisition is granted by the document so many later, a week on; of each eleventh only a half. */
const GRANTED_AFTER = ROUND + 30
/** SQL for the number of the document whose goods and ward the document of a number has: of its grant, or its own. */
const goodsOf = (n: string) => `case when ${kindOf(n)} = 'requisition' then ${n} + ${GRANTED_AFTER} else ${n} end`
/** SQL for whether the document of a number grants a requisition. */
const isGranting = (n: string) =>
  `${n} % 5 = 0 and ${n} > ${GRANTED_AFTER} and ${kindOf(n)} = 'grantOdo'
    and ${kindOf(`(${n} - ${GRANTED_AFTER})`)} = 'requisition'`
/** In so many documents each lot was moved in its store three times and in each of its wards once. */
const SEASON = 6 * ROUND
/**
 * SQL for whether the document of a number takes more than it brings. Goods are stocked for four seasons; then half of
 * them become fewer for a season while the others become more, and so in turns: some are always too few.
 */
const takesMore = (n: string, specification: string) =>
  `${n} % 5 <= 1 and ${n} >= ${4 * SEASON} and (${n} / ${SEASON} + ${specification}) % 2 = 1`

/** SQL for the state of a document: what was ordered or asked for is done after a month. */
const STATE = `case when kind in ('requisition', 'purchaseOrder', 'salesOrder') and at < now() - interval '1 month'
  then 'completed'
  else (array['reviewed','reviewed','reviewed','completed','draft','submitted','cancelled'])[1 + n % 7] end`

/**
 * Adds a network of the given share in statements of a million rows. Drops the indexes of the large tables
 * meanwhile, then derives balances, month openings and statistics. Reuses a network from an earlier run.
 */
export async function fillNetwork(bench: Bench, share: number): Promise<Network> {
  const { owner } = bench.database
  const mark = `S${share.toString().replace('.', '')}`
  const [stands] = await owner`select 1 from setting where org_id = 0 and name = ${`bench ${mark}`}`
  if (!stands) await build(bench, mark, share)
  const { id: org } = await bench.one<{ id: string }>("select id from organisation where code = 'H01'")
  const month = new Date(Date.now() - 370 * 86_400_000).toISOString().slice(0, 7)
  return { ...(await tracedOf(bench, mark)), org, month }
}

async function build(bench: Bench, mark: string, share: number): Promise<void> {
  const began = performance.now()
  const { owner } = bench.database
  await owner.unsafe(`
    insert into organisation (code, name, system_type, social_credit_code)
    select '${mark}-' || n, '压测医院' || n || '${mark}', 1, '${mark}' || lpad(n::text, 12, '0')
      from generate_series(1, ${Math.ceil(FULL.organisations * share)}) n;
    insert into warehouse (org_id, code, name, model) select id, 'W', '压测库', 'central' from organisation
      where code like '${mark}-%';
    insert into organisation (code, name, system_type, social_credit_code)
    select '${mark}/' || n, '压测供应商' || n || '${mark}', 2, '${mark}/' || lpad(n::text, 11, '0')
      from generate_series(1, ${SUPPLIERS}) n`)
  const indexes = await dropIndexes(bench)
  await addLots(bench, mark)
  await fillDocuments(bench, mark, Math.ceil(FULL.documents * share))
  await fillMoves(bench, mark, Math.ceil(FULL.moves * share))
  await fillUnits(bench, mark, Math.ceil(FULL.units * share))
  for (const definition of indexes) await owner.unsafe(definition)
  await owner`insert into stock_balance
    select org_id, warehouse_id, location, specification_id, lot_id, owner_id, quality_state, sum(quantity), sum(value)
      from stock_move
     where document_id >= (select min(id) from document where sn >= ${`RK${mark}`} and sn < ${`RK${mark}a`})
     group by 1, 2, 3, 4, 5, 6, 7 having sum(quantity) > 0
    on conflict (org_id, warehouse_id, location, specification_id, lot_id, owner_id, quality_state)
      do update set quantity = excluded.quantity, value = excluded.value`
  await addLimits(bench)
  await owner`truncate month_opening, month_figure, month_sealed, limit_breach`
  await closeMonths(owner)
  await owner.unsafe('vacuum analyze')
  await owner`insert into setting (org_id, name, value) values (0, ${`bench ${mark}`}, 'true')`
  await notify(bench, share, began)
}

/** Drops the non-unique indexes of the large tables and returns the statements that recreate them. */
async function dropIndexes({ database: { owner } }: Bench): Promise<string[]> {
  const rows = await owner<{ name: string; definition: string }[]>`
    select x.indexrelid::regclass::text as name, pg_get_indexdef(x.indexrelid) as definition from pg_index x
     where not x.indisunique and x.indrelid = any(array['document', 'document_line', 'stock_move', 'unit', 'unit_code',
       'trace_event']::regclass[])`
  for (const { name } of rows) await owner.unsafe(`drop index ${name}`)
  return rows.map(row => row.definition)
}

const BATCH = 1_000_000
async function inBatches(count: number, work: (from: number, to: number) => Promise<unknown>): Promise<void> {
  for (let from = 1; from <= count; from += BATCH) await work(from, Math.min(count, from + BATCH - 1))
}

/** The organisations of this network, the tested hospital and dealer first, each with one warehouse. */
const servers = (mark: string) => `
  select array_agg(o.id order by o.code <> 'H01', o.code <> 'D01', o.id) as orgs,
    array_agg(w.id order by o.code <> 'H01', o.code <> 'D01', o.id) as stores
    from organisation o cross
      join lateral (select id from warehouse where org_id = o.id and model = 'central' order by id limit 1) w
   where o.code in ('H01', 'D01') or o.code like '${mark}-%'`
const wardsOfHospital = `
  select array_agg(w.id order by w.id) as wards, array_agg(w.department_id order by w.id) as departments
    from warehouse w join organisation o on o.id = w.org_id
   where o.code = 'H01' and w.model = 'ward' and w.department_id is not null`
/** From two years ago to today, in row order. */
const moment = (n: string, count: number) => `now() - interval '${MONTHS} months' * (1 - ${n}::numeric / ${count})`

async function fillDocuments({ database: { owner } }: Bench, mark: string, count: number): Promise<void> {
  await inBatches(count, (from, to) =>
    owner.unsafe(`
    with documents as (
    insert into document (org_id, id, kind, sn, from_org_id, state, counterparty_id, warehouse_id, to_warehouse_id,
      department_id, business_date, untaxed_amount, taxed_amount, line_count, total_quantity, fields, created_at,
      submitted_at, reviewed_at)
    select org, nextval('row_id_seq'), kind, 'RK${mark}' || lpad(n::text, 8, '0'), org, ${STATE},
             case when kind like '%Use' or kind like 'grant%' then null
               else partners[1 + (n / 5) % cardinality(partners)] end,
             case when kind <> 'grantOdo' and ${isWards('n')} then wards[${wardOf('n')}] else store end,
             case when n % 5 = 0 and kind in ('requisition', 'grantOdo') then wards[${wardOf('g')}] end,
             case when n % 5 = 0 and (kind = 'requisition' or ${isWards('n')}) then departments[${wardOf('g')}] end,
             at::date, 36, 40, 1, 4, case when kind like '%Use' then '{"use_type":"patient"}'::jsonb else '{}' end, at,
             at, at
      from (select n, ${goodsOf('n')} as g, ${kindOf('n')} as kind, orgs[${ownerOf('n')}] as org,
               stores[${ownerOf('n')}] as store, ${moment('n', count)} as at
        from generate_series(${from}, ${to}) n, (${servers(mark)}) h) x,
           (select array_agg(id order by id) as partners from organisation where system_type = 2) p,
           (${wardsOfHospital}) d
    returning org_id, id, right(sn, 8)::bigint as n)
    insert into document_line (org_id, document_id, line_no, specification_id, lot_id, lot_no, quantity, base_quantity,
      price, tax_rate, untaxed_amount, tax_amount, taxed_amount, order_document_id, order_line_no)
    select org_id, id, 1, specs[${lotOf('g')}], lots[${lotOf('g')}], numbers[${lotOf('g')}], pieces, pieces, 10, 13, 36,
           4, 40, case when grants then id - ${GRANTED_AFTER} end, case when grants then 1 end
      from (select *, ${goodsOf('n')} as g, ${isGranting('n')} as grants,
              case when ${isGranting('n')} and n / 35 % 11 = 0 then 2 else 4 end as pieces
              from documents) d,
           (${lotsOf(mark)}) l`),
  )
}

async function addLots({ database: { owner } }: Bench, mark: string): Promise<void> {
  await owner.unsafe(`
    insert into lot (specification_id, lot_no) select s.id, '${mark}L' || n from generate_series(1, ${FULL.lots}) n
      cross join lateral (select id from specification order by id
        limit 1 offset n % (select count(*) from specification)) s on conflict do nothing;
    insert into stock_lot (org_id, lot_id, specification_id, production_date, expiry_date)
    select o.id, l.id, l.specification_id, current_date - 100, current_date + 700 from organisation o, lot l
      where o.code in ('H01', 'D01') and l.lot_no like '${mark}L%' on conflict do nothing`)
}

const lotsOf = (mark: string) => `
  select array_agg(id order by id) as lots, array_agg(specification_id order by id) as specs,
    array_agg(lot_no order by id) as numbers from lot where lot_no like '${mark}L%'`

/**
 * Four moves of each document: three pieces in, and one move of two or four out, so that the balance never becomes
 * negative; by the step of the document's kind. Goods granted to a ward come in there.
 */
async function fillMoves({ database: { owner } }: Bench, mark: string, count: number): Promise<void> {
  await inBatches(count, (from, to) =>
    owner.unsafe(`
    insert into stock_move (org_id, id, warehouse_id, specification_id, lot_id, owner_id, quality_state, quantity,
      value, step, document_id, document_kind, line_no, business_date, at)
    select org, nextval('ledger_id_seq'), case when ${isWards('k')} then wards[${wardOf('k')}] else store end,
           specs[lot], lots[lot], org, 'qualified',
           case when turn < 3 then 1 when ${takesMore('k', 'specs[lot]')} then -4 else -2 end,
           case when turn < 3 then 10 when ${takesMore('k', 'specs[lot]')} then -40 else -20 end,
           case when kind in ('purchaseGrn', 'settlementGrn') then 'receive' when kind like '%Use' then 'use'
             else 'transfer' end,
           document_id, kind, 1, at::date, at
      from (select k, ${lotOf('k')} as lot, turn, orgs[${ownerOf('k')}] as org, stores[${ownerOf('k')}] as store, at,
              first + k - 1 as document_id, ${kindOf('k')} as kind
              from (select turn, k, ${moment('k', count / 4)} as at
                      from (select n % 4 as turn, 1 + n / 4 as k from generate_series(${from - 1}, ${to - 1}) n) x) x,
                (${servers(mark)}) h,
                (select min(id) as first from document where sn >= 'RK${mark}' and sn < 'RK${mark}a') d) x,
           (${lotsOf(mark)}) l,
           (${wardsOfHospital}) w`),
  )
}

/**
 * Limits of the tested hospital's wards, derived from their stock: some goods are too few in every other season, others
 * too many.
 */
async function addLimits({ database: { owner } }: Bench): Promise<void> {
  await owner`
    insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity,
      limits_since)
    select org_id, warehouse_id, specification_id, least, least, greatest(least, most), null
      from (select b.org_id, b.warehouse_id, b.specification_id, sum(b.quantity) as held,
               row_number() over (order by b.warehouse_id, b.specification_id) as n
              from stock_balance b join warehouse w on w.id = b.warehouse_id join organisation o on o.id = w.org_id
             where o.code = 'H01' and w.model = 'ward'
             group by 1, 2, 3) x cross
      join lateral (select round(held * (0.5 + n * 7 % 100 / 200.0), 3) as least,
                       round(held * (1.1 + n * 13 % 97 / 160.0), 3) as most) y
    on conflict (org_id, warehouse_id, specification_id) do update set min_quantity = excluded.min_quantity,
      reorder_point = excluded.reorder_point, max_quantity = excluded.max_quantity`
}

/** Units in lots of at most twenty thousand, each with a chain of events. */
async function fillUnits({ database: { owner } }: Bench, mark: string, count: number): Promise<void> {
  const perLot = Math.min(20_000, count)
  const lots = Math.ceil(count / perLot)
  await owner.unsafe(`
    insert into lot (specification_id, lot_no) select (select id from specification where code = 'P001-01'),
      '${mark}U' || n from generate_series(1, ${lots}) n`)
  const made = await owner<{ id: string }[]>`select id from lot where lot_no like ${`${mark}U%`} order by id`
  const chain = "(select array_agg(id order by code desc) from organisation where code in ('V01', 'D01', 'H01'))"
  for (const { id } of made)
    await owner.unsafe(`
    with units as (
      insert into unit (lot_id, id, specification_id, status, holder_org_id, store, owner_id)
      select ${id}, nextval('unit_id_seq'), (select specification_id from lot where id = ${id}),
        case when n % 4 = 0 then 'used' else 'in_stock' end,
        case when n % 4 = 0 then null else (${chain})[1 + n % 3] end, '仓库', (${chain})[1]
        from generate_series(1, ${perLot}) n returning lot_id, id),
    codes as (insert into unit_code (code, bare, lot_id, unit_id, kind) select '${mark}-' || lot_id || '-' || id,
      '${mark}-' || lot_id || '-' || id, lot_id, id, 'inhouse' from units returning 1)
    insert into trace_event (lot_id, unit_id, seq, step, org_id, from_org_id, from_place, to_org_id, to_place,
      quantity, document_kind, document_sn, line_no, actor, before)
    select lot_id, id, nextval('trace_seq'), 'transfer', o, case when e = 1 then null else o end, '仓库', o, '仓库', 1,
      'bench', 'B' || e, 1, 'bench', '{"status":"in_stock"}'
      from units cross join generate_series(1, ${FULL.events}) e cross join (select (${chain})[1] as o) c`)
  await owner`insert into lot_org (lot_id, org_id) select l.id, o.id from lot l, organisation o
    where l.lot_no like ${`${mark}U%`} and o.code in ('V01', 'D01', 'H01') on conflict do nothing`
}

/** A code of the network and its lot. */
async function tracedOf({ database: { owner } }: Bench, mark: string): Promise<{ code: string; lot: string }> {
  const [last] = await owner<{ code: string; lot: string }[]>`
    select c.bare as code, l.lot_no as lot from lot l join unit_code c on c.lot_id = l.id
      where l.lot_no like ${`${mark}U%`} order by l.id desc limit 1`
  return last!
}

async function notify({ database: { owner } }: Bench, share: number, began: number): Promise<void> {
  const [size] = await owner<{ tables: string; bytes: string }[]>`
    select string_agg(relname || ' ' || n_live_tup, ', ' order by n_live_tup desc) as tables,
      pg_size_pretty(pg_database_size(current_database())) as bytes
      from pg_stat_user_tables
        where relname in ('organisation', 'document', 'stock_move', 'stock_balance', 'month_opening', 'unit',
        'trace_event')`
  console.log(
    `scale ${share}: ${size!.tables}; ${size!.bytes}, in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
}
