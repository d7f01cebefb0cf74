import { inOrganisation } from '#server/database/transaction.ts'
import { createSerials, unborn, writeTrace } from '#server/ledger/trace.ts'
import type { Bench } from './bench.ts'
import type { BenchClient } from './client.ts'
import { type Goal, report, sideBySide, timed } from './stopwatch.ts'

const day = new Date().toISOString().slice(0, 10)
/** Prefix of the lots and codes of this run; the database may hold those of earlier runs. */
const RUN = Date.now().toString(36).toUpperCase()
let lots = 0
/** Six runs for each of ten connections: after that PostgreSQL keeps its plans. */
export const WARM = 60

export type Lines = Record<string, unknown>[]
export type Setting = { warehouse: string; supplier: string; specifications: string[]; coded: string; org: string }

/** A dealer of low-value goods that receives, and its administrator. */
export async function openCounter(bench: Bench): Promise<{ where: Setting; client: BenchClient }> {
  return { where: await setting(bench), client: await otherDealer(bench) }
}

async function setting(bench: Bench): Promise<Setting> {
  const { id: org } = await bench.one<{ id: string }>("select id from organisation where code = 'D02'")
  const rows = await bench.database.owner<{ id: string; is_unit_coded: boolean }[]>`
    select s.id, coalesce(e.is_unit_coded, p.is_unit_coded) as is_unit_coded from dealer_product e
      join specification s on s.id = e.specification_id join product p on p.id = s.product_id
      join registration_certificate c on c.id = s.registration_certificate_id
     where e.org_id = ${org} and c.valid_to > now() + interval '1 year' and p.status = 'released' order by s.id`
  const { id: warehouse } = await bench.one<{ id: string }>(
    'select id from warehouse where org_id = $1 and model = $2 order by id limit 1',
    org,
    'central',
  )
  const { id: supplier } = await bench.one<{ id: string }>("select id from organisation where code = 'V04'")
  const specifications = rows.filter(row => !row.is_unit_coded).map(row => row.id)
  return {
    org,
    warehouse,
    supplier,
    specifications,
    coded: rows.find(row => row.is_unit_coded)?.id ?? specifications[0]!,
  }
}

/** New lots in every receipt, as in real deliveries. */
const plainLines = (count: number, where: Setting): Lines => {
  lots += 1
  return Array.from({ length: count }, (_, at) => ({
    specification_sn: where.specifications[at % where.specifications.length],
    lot_no: `B${RUN}-${lots}-${at}`,
    production_date: '2026-06-01',
    expiry_date: '2029-05-31',
    quantity: '10',
    price: '0.01',
    tax_rate: 13,
  }))
}
const codedLines = (count: number, where: Setting): Lines => {
  lots += 1
  return [
    {
      specification_sn: where.coded,
      lot_no: `U${RUN}-${lots}`,
      production_date: '2026-06-01',
      expiry_date: '2029-05-31',
      unit_codes: Array.from({ length: count }, (_, at) => `BX${RUN}-${lots}-${at}`),
      price: '0.01',
      tax_rate: 13,
    },
  ]
}

export async function submitted(
  client: BenchClient,
  where: Setting,
  lines: Lines,
): Promise<{ sn: string; version: number }> {
  const path = '/v1/business/purchaseGrn'
  const { info } = await client.post(`${path}/add`, {
    counterparty_sn: where.supplier,
    warehouse_model_inner_sn: where.warehouse,
    business_date: day,
    lines,
  })
  return (await client.post(`${path}/submit`, { sn: info.sn, version: info.version })).info
}

/**
 * Posting a receipt over HTTP (the reviewed document: session, permission, row policies, compliance check, ledgers,
 * trace, history, idempotency) compared with one SQL function that writes the same ledger rows for a document of the
 * same size.
 */
export async function benchPosting(bench: Bench): Promise<() => Promise<void>> {
  const { where, client } = await openCounter(bench)
  await bench.database.owner.unsafe(rawFunction)
  return () => measurePosting(bench, where, client)
}

async function measurePosting(bench: Bench, where: Setting, client: BenchClient): Promise<void> {
  const review = async (doc: { sn: string }) => client.post('/v1/business/purchaseGrn/review', doc)
  const byHand = async (doc: { sn: string }) => bench.database.owner`select bench_post(${where.org}, ${doc.sn})`
  // Warm state on both sides, as on a server up for a minute: statements planned on every connection, table
  // statistics available.
  await bench.database.owner`analyze`
  for (let doc = 0; doc < WARM; doc++) {
    await review(await submitted(client, where, plainLines(10, where)))
    await byHand(await submitted(client, where, plainLines(10, where)))
  }
  const cases: [string, number, (count: number) => Lines, number, Goal?][] = [
    ['post a receipt of 10 lines', 10, count => plainLines(count, where), 25, { most: 2.2 }],
    ['post a receipt of 100 lines', 100, count => plainLines(count, where), 15, { most: 1.6 }],
    ['post a receipt of 1000 lines', 1000, count => plainLines(count, where), 5, { most: 1.3 }],
    ['post a receipt of 1000 unit codes', 1000, count => codedLines(count, where), 5],
  ]
  for (const [title, size, lines, rounds, goal] of cases) {
    const docs: { sn: string; version: number }[] = []
    for (let doc = 0; doc < rounds * 2 + 2; doc++) docs.push(await submitted(client, where, lines(size)))
    const ours = async () => review(docs.shift()!)
    const raw = async () => byHand(docs.shift()!)
    await ours()
    await raw()
    const [a, b] = await sideBySide(rounds, ours, raw)
    report(title, a, b, goal)
  }
  await benchReplay(client, where)
  await benchCodes(bench, where)
}

/** The same request id again returns the first reply without doing the work. */
async function benchReplay(client: BenchClient, where: Setting): Promise<void> {
  const docs: { sn: string; version: number }[] = []
  for (let doc = 0; doc < 12; doc++) docs.push(await submitted(client, where, plainLines(100, where)))
  const [first, again]: [number[], number[]] = [[], []]
  for (const doc of docs) {
    const id = crypto.randomUUID()
    const call = () => client.post('/v1/business/purchaseGrn/review', doc, id)
    first.push(...(await timed(1, call)))
    again.push(...(await timed(1, call)))
  }
  report('replay of a request id, 100 lines', again, first, { most: 0.3 })
}

/** A thousand pieces entered into the trace ledger at once, compared with writing unit, code and event one by one. */
async function benchCodes(bench: Bench, where: Setting): Promise<void> {
  const { owner, app } = bench.database
  lots += 1
  const { id: lot } = await bench.one<{ id: string }>(
    'insert into lot (specification_id, lot_no) values ($1, $2) returning id',
    where.coded,
    `ONE-BY-ONE-${RUN}-${lots}`,
  )
  const oneByOne = () =>
    owner.begin(async tx => {
      for (let code = 0; code < 1000; code++) {
        const [unit] = await tx<{ id: string }[]>`
          insert into unit (lot_id, id, specification_id, status, holder_org_id, store, owner_id)
          values (${lot}, nextval('unit_id_seq'), ${where.coded}, 'in_stock', ${where.org}, '仓库', ${where.org})
            returning id`
        await tx`
          insert into unit_code (code, bare, lot_id, unit_id, kind, issuer_org_id)
          values (${`${where.org}:ONE-${unit!.id}`}, ${`ONE-${unit!.id}`}, ${lot}, ${unit!.id}, 'inhouse',
            ${where.org})`
        await tx`
          insert into trace_event (lot_id, unit_id, step, org_id, to_org_id, to_place, quantity, document_kind,
            document_sn, line_no, actor)
          values (${lot}, ${unit!.id}, 'receive', ${where.org}, ${where.org}, '仓库', 1, 'bench', 'ONE', 1, 'raw')`
      }
    })
  const state = { ...unborn, status: 'in_stock', holder_org_id: where.org, store: '仓库', owner_id: where.org }
  const nowhere = { org: null, place: null, warehouse: null }
  const atOnce = () =>
    inOrganisation(app, where.org, '0', async tx => {
      lots += 1
      const births = Array.from({ length: 1000 }, (_, at) => ({
        bare: `ALL-${RUN}-${lots}-${at}`,
        kind: 'inhouse',
        lot_id: lot,
        specification_id: where.coded,
        state,
      }))
      const units = await createSerials(tx, where.org, births)
      const cause = { org: where.org, kind: 'bench', sn: 'ALL', actor: 'ours' }
      const event = { line_no: 1, step: 'receive', quantity: '1.000', from: nowhere, before: unborn, after: state }
      const to = { org: where.org, place: '仓库', warehouse: null }
      await writeTrace(
        tx,
        cause,
        units.map(unit => ({ ...event, ...unit, to, born: true as const })),
      )
    })
  for (let time = 0; time < WARM / 10; time++) await atOnce()
  const [slow, quick] = await sideBySide(5, oneByOne, atOnce)
  report('1000 pieces one by one, against all at once', slow, quick, { least: 10 })
}

/** The dealer of low-value goods has no demo account: its administrator is created for the benchmark. */
async function otherDealer(bench: Bench): Promise<BenchClient> {
  await bench.database.owner`
    insert into app_user (org_id, login, password_hash, name, is_administrator)
    select (select id from organisation where code = 'D02'), 'dealer3', password_hash, '压测', true from app_user
      where login = 'dealer' on conflict do nothing`
  await bench.database
    .owner`insert into setting (org_id, name, value) select id, 'allow_self_review', 'true' from organisation
      where code = 'D02' on conflict do nothing`
  return bench.client('dealer3')
}

/**
 * The same rows in plain SQL: lots, lot dates, moves, balances, account, units, events, recall index, state and
 * history.
 */
const rawFunction = `
create or replace function bench_post(p_org bigint, p_sn text) returns void language plpgsql as $$
declare d document; w text;
begin
  select * into d from document where org_id = p_org and sn = p_sn and role = 'own' for update;
  select name into w from warehouse where org_id = p_org and id = d.warehouse_id;
  insert into lot (specification_id, lot_no) select specification_id, lot_no from document_line
    where org_id = p_org and document_id = d.id order by 1, 2 on conflict do nothing;
  update document_line l set lot_id = t.id from lot t where l.org_id = p_org and l.document_id = d.id
    and t.specification_id = l.specification_id and t.lot_no = l.lot_no;
  insert into stock_lot (org_id, lot_id, specification_id, production_date, expiry_date) select p_org, lot_id,
    specification_id, production_date, expiry_date from document_line where org_id = p_org and document_id = d.id
    order by lot_id on conflict do nothing;
  insert into stock_move (org_id, warehouse_id, location, specification_id, lot_id, owner_id, quality_state, quantity,
    value, step, document_id, document_kind, line_no, business_date)
    select p_org, d.warehouse_id, '', specification_id, lot_id, p_org, 'qualified', base_quantity, untaxed_amount,
      'receive', d.id, d.kind, line_no, d.business_date from document_line where org_id = p_org and document_id = d.id;
  insert into stock_balance as b (org_id, warehouse_id, location, specification_id, lot_id, owner_id, quality_state,
    quantity, value)
    select p_org, d.warehouse_id, '', specification_id, lot_id, p_org, 'qualified', sum(base_quantity),
      sum(untaxed_amount) from document_line where org_id = p_org and document_id = d.id group by specification_id,
      lot_id order by specification_id, lot_id
    on conflict (org_id, warehouse_id, location, specification_id, lot_id, owner_id, quality_state)
      do update set quantity = b.quantity + excluded.quantity, value = b.value + excluded.value;
  insert into account_entry (org_id, counterparty_id, account, amount, document_id, line_no, business_date)
    select p_org, d.counterparty_id, 'payable_estimated', taxed_amount, d.id, line_no, d.business_date
    from document_line where org_id = p_org and document_id = d.id;
  insert into account_balance as b (org_id, counterparty_id, account, amount) select p_org, d.counterparty_id,
    'payable_estimated', d.taxed_amount
    on conflict (org_id, counterparty_id, account) do update set amount = b.amount + excluded.amount;
  create temp table if not exists bench_unit (lot_id bigint, id bigint, specification_id bigint, line_no int,
    code text) on commit delete rows;
  insert into bench_unit select l.lot_id, nextval('unit_id_seq'), l.specification_id, l.line_no, c from document_line l
    cross join unnest(l.unit_codes) c where l.org_id = p_org and l.document_id = d.id;
  insert into unit (lot_id, id, specification_id, status, holder_org_id, warehouse_id, store, place, owner_id)
    select lot_id, id, specification_id, 'in_stock', p_org, d.warehouse_id, w, '', p_org from bench_unit;
  insert into unit_code (code, bare, lot_id, unit_id, kind, issuer_org_id) select p_org || ':' || code, code, lot_id,
    id, 'inhouse', p_org from bench_unit;
  insert into trace_event (lot_id, unit_id, step, org_id, from_org_id, from_place, to_org_id, to_place,
    to_warehouse_id, quantity, document_kind, document_sn, line_no, actor)
    select lot_id, id, 'receive', p_org, d.counterparty_id, '在途', p_org, w, d.warehouse_id, 1, d.kind, d.sn, line_no,
      'raw' from bench_unit
    union all select lot_id, 0, 'receive', p_org, d.counterparty_id, '在途', p_org, w, d.warehouse_id, base_quantity,
      d.kind, d.sn, line_no, 'raw' from document_line where org_id = p_org and document_id = d.id and unit_codes = '{}';
  insert into lot_org (lot_id, org_id) select distinct lot_id, o from document_line cross
    join unnest(array[p_org, d.counterparty_id]) o where org_id = p_org and document_id = d.id order by 1,
    2 on conflict do nothing;
  update document set state = 'reviewed', version = version + 1, reviewed_at = now() where org_id = p_org and id = d.id;
  insert into document_history (org_id, document_id, seq, action, label, from_state, to_state, actor_name)
    values (p_org, d.id, 99, 'review', '审核', 'submitted', 'reviewed', 'raw');
end $$`
