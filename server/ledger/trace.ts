import { canonicalUdi } from '#kernel/codes/generate.ts'
import { parseCode } from '#kernel/codes/parse-code.ts'
import type { Decimal } from '#kernel/decimal.ts'
import { steps } from '#kernel/posting.ts'
import { Refusal } from '#kernel/refusal.ts'
import { together, type Tx } from '#server/engine/transaction.ts'
import type { JSONValue } from 'postgres'

/** How a code is written in the house: a serialised UDI in its one canonical form, everything else as it was given. */
export function houseCode(text: string, today: string): { bare: string; kind: 'udi' | 'inhouse' } {
  const parsed = parseCode(text, { today })
  if (parsed.ok && parsed.di && parsed.serial && !parsed.candidates)
    return { bare: canonicalUdi(parsed.di, parsed.serial), kind: 'udi' }
  return { bare: text, kind: 'inhouse' }
}
/** The key of a code in the whole network: UDIs are unique on the platform, in-house codes per issuer. */
export const codeKey = (code: { bare: string; kind: string }, issuer: string): string =>
  code.kind === 'udi' ? code.bare : `${issuer}:${code.bare}`

/** The row of a unit: where it is, whose it is, what became of it. */
export type UnitState = {
  readonly status: string
  readonly holder_org_id: string | null
  readonly warehouse_id: string | null
  /** Name of the store, for those who may not read the holder's records. */
  readonly store: string | null
  /** Location inside the store. */
  readonly place: string | null
  readonly owner_id: string | null
  /** The delivery it is on the way under. */
  readonly under: string | null
  readonly use_org_id: string | null
  readonly use_id: string | null
}
export type KnownUnit = UnitState & {
  readonly bare: string
  /** Why this code is scanned no more, and which one the piece bears instead. */
  readonly ended: string | null
  readonly replaced_by: string | null
  readonly lot_id: string
  readonly unit_id: string
  readonly specification_id: string
  readonly lot_no: string
}

/** One end of an event, in names that mean something outside the organisation. */
export type End = { readonly org: string | null; readonly place: string | null; readonly warehouse: string | null }

/** What happens to one unit (or, with `unit_id` 0, to a quantity of a lot). */
export type TraceRow = {
  readonly line_no: number
  readonly step: string
  readonly lot_id: string
  readonly unit_id: string
  readonly quantity: Decimal
  readonly from: End
  readonly to: End
  readonly before: UnitState | null
  readonly after: UnitState | null
}
export type Cause = { readonly org: string; readonly kind: string; readonly sn: string; readonly actor: string }

/** Units by their printed codes, as this organisation would mean them: its own in-house codes before others'. */
export async function unitsByCode(tx: Tx, org: string, codes: readonly string[]): Promise<Map<string, KnownUnit>> {
  const wanted = [...new Set(codes)]
  if (wanted.length === 0) return new Map()
  const named = await tx<
    {
      bare: string
      lot_id: string
      unit_id: string
      kind: string
      issuer_org_id: string | null
      ended: string | null
      replaced_by: string | null
    }[]
  >`
    select bare, lot_id, unit_id, kind, issuer_org_id, ended, replaced_by from unit_code where bare = any(${wanted})`
  if (named.length === 0) return new Map()
  const units = await tx<Omit<KnownUnit, 'bare' | 'ended' | 'replaced_by'>[]>`
    select u.lot_id, u.id as unit_id, u.specification_id, t.lot_no, u.status, u.holder_org_id, u.warehouse_id, u.store, u.place, u.owner_id, u.under, u.use_org_id, u.use_id
      from unit u join lot t on t.id = u.lot_id
     where u.lot_id = any(${[...new Set(named.map(row => row.lot_id))]}::bigint[]) and u.id = any(${named.map(row => row.unit_id)}::bigint[])`
  const byIdentity = new Map(units.map(unit => [`${unit.lot_id}/${unit.unit_id}`, unit]))
  const rank = (row: (typeof named)[number]) => {
    const unit = byIdentity.get(`${row.lot_id}/${row.unit_id}`)
    return (
      (row.kind === 'udi' ? 0 : row.issuer_org_id === org ? 1 : unit?.holder_org_id === org ? 2 : 3) +
      (unit?.status === 'void' || row.ended !== null ? 10 : 0)
    )
  }
  const found = new Map<string, KnownUnit>()
  for (const row of [...named].sort((a, b) => rank(b) - rank(a))) {
    const unit = byIdentity.get(`${row.lot_id}/${row.unit_id}`)
    if (unit) found.set(row.bare, { ...unit, bare: row.bare, ended: row.ended, replaced_by: row.replaced_by })
  }
  return found
}

/** Registers units that nobody has seen before: rows, codes, status void until their first event. Gives their identities in order. */
export async function registerUnits(
  tx: Tx,
  issuer: string,
  births: readonly { bare: string; kind: string; lot_id: string; specification_id: string }[],
): Promise<{ lot_id: string; unit_id: string }[]> {
  if (births.length === 0) return []
  const [{ ids }] = (await tx<
    { ids: string[] }[]
  >`select array_agg(nextval('unit_id_seq')) as ids from generate_series(1, ${births.length}::int)`) as unknown as [
    { ids: string[] },
  ]
  const rows = births.map((birth, at) => ({ ...birth, code: codeKey(birth, issuer), unit_id: ids[at]! }))
  const json = tx.json(rows as unknown as JSONValue)
  await tx`
    insert into unit (lot_id, id, specification_id, status)
    select k.lot_id, k.unit_id, k.specification_id, 'void' from jsonb_to_recordset(${json}) as k(lot_id bigint, unit_id bigint, specification_id bigint)
    returning id`
  const taken = await tx<{ code: string }[]>`
    insert into unit_code as c (code, bare, lot_id, unit_id, kind, issuer_org_id)
    select k.code, k.bare, k.lot_id, k.unit_id, k.kind, ${issuer}::bigint
      from jsonb_to_recordset(${json}) as k(code text, bare text, lot_id bigint, unit_id bigint, kind text)
     order by k.code
    on conflict (code) do update set lot_id = excluded.lot_id, unit_id = excluded.unit_id
     where c.ended is null and (select u.status from unit u where u.lot_id = c.lot_id and u.id = c.unit_id) = 'void'
    returning code`
  if (taken.length < rows.length) {
    const wrote = new Set(taken.map(row => row.code))
    throw new Refusal(
      'duplicate',
      `院内码${rows.find(row => !wrote.has(row.code))?.bare ?? ''}已存在，请核对后重新扫描`,
    )
  }
  return rows.map(row => ({ lot_id: row.lot_id, unit_id: row.unit_id }))
}

const stateSet =
  'status text, holder_org_id bigint, warehouse_id bigint, store text, place text, owner_id bigint, under text, use_org_id bigint, use_id bigint'

/**
 * Moves units from the state they were read in to their next one and writes the events. The guard stands in the UPDATE: a
 * unit that somebody else moved meanwhile is not moved twice. Lots ascending, units ascending.
 */
export async function writeTrace(tx: Tx, cause: Cause, rows: readonly TraceRow[], undoing = false): Promise<void> {
  if (rows.length === 0) return
  const moving = rows.filter(row => row.unit_id !== '0')
  if (moving.length > 0) {
    const states = moving
      .map(row => ({ lot_id: row.lot_id, unit_id: row.unit_id, was: row.before, ...row.after }))
      .sort((a, b) => Number(BigInt(a.lot_id) - BigInt(b.lot_id)) || Number(BigInt(a.unit_id) - BigInt(b.unit_id)))
    const moved = await tx`
      update unit u set status = n.status, holder_org_id = n.holder_org_id, warehouse_id = n.warehouse_id, store = n.store, place = n.place, owner_id = n.owner_id,
             under = n.under, use_org_id = n.use_org_id, use_id = n.use_id
        from jsonb_to_recordset(${tx.json(states as unknown as JSONValue)}) as n(lot_id bigint, unit_id bigint, was jsonb, ${tx.unsafe(stateSet)})
       where u.lot_id = n.lot_id and u.id = n.unit_id and u.lot_id = any(${[...new Set(moving.map(row => row.lot_id))]}::bigint[])
         and u.status = n.was->>'status' and u.holder_org_id is not distinct from (n.was->>'holder_org_id')::bigint
         and u.warehouse_id is not distinct from (n.was->>'warehouse_id')::bigint and u.under is not distinct from n.was->>'under'
      returning u.id`
    if (moved.length < moving.length) throw new Refusal('staleVersion', '院内码刚被他人操作，请刷新后重新扫描')
  }
  const events = rows.map(row => ({
    line_no: row.line_no,
    step: row.step,
    lot_id: row.lot_id,
    unit_id: row.unit_id,
    quantity: row.quantity,
    before: row.before,
    from_org: row.from.org,
    from_place: row.from.place,
    from_warehouse: row.from.warehouse,
    to_org: row.to.org,
    to_place: row.to.place,
    to_warehouse: row.to.warehouse,
    undo_of: (row as { undo_of?: string }).undo_of ?? null,
  }))
  const written = tx`
    insert into trace_event (lot_id, unit_id, step, org_id, from_org_id, from_place, from_warehouse_id, to_org_id, to_place, to_warehouse_id,
      quantity, document_kind, document_sn, line_no, actor, before, undo_of)
    select k.lot_id, k.unit_id, ${undoing ? 'undo' : tx`k.step`}, ${cause.org}::bigint, k.from_org, k.from_place, k.from_warehouse, k.to_org, k.to_place, k.to_warehouse,
           k.quantity, ${cause.kind}, ${cause.sn}, k.line_no, ${cause.actor}, k.before, k.undo_of
      from jsonb_to_recordset(${tx.json(events as unknown as JSONValue)}) as k(lot_id bigint, unit_id bigint, step text, from_org bigint, from_place text, from_warehouse bigint,
           to_org bigint, to_place text, to_warehouse bigint, quantity numeric, line_no int, before jsonb, undo_of bigint)
    returning seq`
  const stations = tx`
    with wrote as (
      insert into lot_org (lot_id, org_id)
      select distinct k.lot_id, k.org from jsonb_to_recordset(${tx.json(
        events
          .flatMap(event => [
            { lot_id: event.lot_id, org: event.from_org },
            { lot_id: event.lot_id, org: event.to_org },
          ])
          .filter(row => row.org) as unknown as JSONValue,
      )}) as k(lot_id bigint, org bigint)
       order by 1, 2
      on conflict (lot_id, org_id) do nothing returning 1)
    select count(*) from wrote`
  await together([written, stations])
}

type EventRow = {
  lot_id: string
  unit_id: string
  seq: string
  step: string
  line_no: number
  quantity: Decimal
  before: UnitState | null
  from_org_id: string | null
  from_place: string | null
  from_warehouse_id: string | null
  to_org_id: string | null
  to_place: string | null
  to_warehouse_id: string | null
}

/**
 * Takes back the events of a paper: each is followed by `undo` with its ends exchanged, and units return to the state before.
 * Refused when something later happened to a unit that still stands. `lines` limits it to some lines, `units` to some units.
 */
export async function undoTrace(
  tx: Tx,
  cause: Cause,
  lots: readonly string[],
  only: { lines?: readonly number[]; units?: ReadonlySet<string>; lotQuantity?: ReadonlyMap<number, Decimal> } = {},
  sn = cause.sn,
): Promise<void> {
  if (lots.length === 0) return
  const events = await tx<EventRow[]>`
    select e.lot_id, e.unit_id, e.seq, e.step, e.line_no, e.quantity, e.before, e.from_org_id, e.from_place, e.from_warehouse_id, e.to_org_id, e.to_place, e.to_warehouse_id
      from trace_event e
     where e.lot_id = any(${lots as string[]}::bigint[]) and e.document_sn = ${sn} and e.org_id = ${cause.org} and e.step <> 'undo'
       and (e.unit_id = 0 and ${only.lotQuantity !== undefined} or not exists (select 1 from trace_event x where x.lot_id = e.lot_id and x.unit_id = e.unit_id and x.undo_of = e.seq))
       ${only.lines ? tx`and e.line_no = any(${only.lines as number[]}::int[])` : tx``}
     order by e.seq desc`
  const taken = events.filter(
    event => event.unit_id === '0' || !only.units || only.units.has(`${event.lot_id}/${event.unit_id}`),
  )
  const units = taken.filter(event => event.unit_id !== '0')
  const later =
    units.length === 0
      ? []
      : await tx<{ lot_id: string; unit_id: string; document_sn: string }[]>`
    select e.lot_id, e.unit_id, e.document_sn from trace_event e
      join jsonb_to_recordset(${tx.json(units.map(unit => ({ lot_id: unit.lot_id, unit_id: unit.unit_id, seq: unit.seq })) as unknown as JSONValue)}) as k(lot_id bigint, unit_id bigint, seq bigint)
        on k.lot_id = e.lot_id and k.unit_id = e.unit_id and e.seq > k.seq
     where e.lot_id = any(${lots as string[]}::bigint[]) and e.document_sn <> ${sn} and e.step <> 'undo'
       and not exists (select 1 from trace_event x where x.lot_id = e.lot_id and x.unit_id = e.unit_id and x.undo_of = e.seq) limit 1`
  if (later[0]) throw new Refusal('blocked', `该单据的院内码已有后续业务（${later[0].document_sn}），不能${steps.undo}`)
  const current = await tx<(UnitState & { lot_id: string; unit_id: string })[]>`
    select lot_id, id as unit_id, status, holder_org_id, warehouse_id, store, place, owner_id, under, use_org_id, use_id from unit
     where lot_id = any(${lots as string[]}::bigint[]) and id = any(${units.map(unit => unit.unit_id)}::bigint[])`
  const now = new Map(current.map(row => [`${row.lot_id}/${row.unit_id}`, row]))
  const rows = taken.map(event => ({
    line_no: event.line_no,
    step: event.step,
    lot_id: event.lot_id,
    unit_id: event.unit_id,
    quantity: event.unit_id === '0' ? (only.lotQuantity?.get(event.line_no) ?? event.quantity) : event.quantity,
    undo_of: event.seq,
    from: { org: event.to_org_id, place: event.to_place, warehouse: event.to_warehouse_id },
    to: { org: event.from_org_id, place: event.from_place, warehouse: event.from_warehouse_id },
    before: event.unit_id === '0' ? null : stateOf(now.get(`${event.lot_id}/${event.unit_id}`)!),
    after: event.before,
  }))
  await writeTrace(tx, cause, rows, true)
}

/** The state alone, without what else a row carries. */
export const stateOf = ({
  status,
  holder_org_id,
  warehouse_id,
  store,
  place,
  owner_id,
  under,
  use_org_id,
  use_id,
}: UnitState): UnitState => ({ status, holder_org_id, warehouse_id, store, place, owner_id, under, use_org_id, use_id })
