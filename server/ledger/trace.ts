import type { Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { compareIds } from '#kernel/values/order.ts'
import { pipelined, type Tx } from '#server/database/transaction.ts'

/** The network-wide key of a code: UDIs are unique on the platform, in-house codes per issuer. */
export const codeKey = (code: { bare: string; kind: string }, issuer: string): string =>
  code.kind === 'udi' ? code.bare : `${issuer}:${code.bare}`

/** The row of a unit: where it is, its owner, what happened to it. */
export type UnitState = {
  readonly status: string
  readonly holder_org_id: string | null
  readonly warehouse_id: string | null
  /** Name of the store, for users who may not read the holder's records. */
  readonly store: string | null
  /** Location inside the store. */
  readonly place: string | null
  readonly owner_id: string | null
  /** The delivery under which it is in transit. */
  readonly under: string | null
  readonly use_org_id: string | null
  readonly use_id: string | null
}
/** A piece without any event. */
export const unborn: UnitState = {
  status: 'void',
  holder_org_id: null,
  warehouse_id: null,
  store: null,
  place: null,
  owner_id: null,
  under: null,
  use_org_id: null,
  use_id: null,
}
/** Only the state, without the row's other columns. */
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
export type KnownUnit = UnitState & {
  readonly bare: string
  /** Why this code is no longer scanned, and which one the piece has instead. */
  readonly ended: string | null
  readonly replaced_by: string | null
  readonly lot_id: string
  readonly unit_id: string
  readonly specification_id: string
  readonly lot_no: string
  /** The base units of the code: one, or the content of a pack. */
  readonly quantity: Decimal
  readonly is_pack: boolean
}

/** One end of an event, in names that are meaningful outside the organisation. */
export type End = { readonly org: string | null; readonly place: string | null; readonly warehouse: string | null }

/** An event of one unit, or of a quantity of a lot (`unit_id` 0). */
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
  /** Just registered in the state in which this event leaves it. */
  readonly born?: true
}

/** A new unit, and the state in which its first event leaves it. */
export type Birth = {
  readonly bare: string
  readonly kind: string
  readonly lot_id: string
  readonly specification_id: string
  readonly state: UnitState
  /** Base units that it holds; default one. */
  readonly quantity?: Decimal
}
export type Cause = {
  readonly org: string
  readonly kind: string
  readonly sn: string
  /** The document itself, where one is the cause: copies of several senders may have the same number. */
  readonly document?: string
  readonly actor: string
}

/**
 * A serialised code in its one form, split. Self-printed labels hold the organisation's own code of the piece as the
 * serial.
 */
const serialised = (code: string) => {
  const [, di, serial] = /^\(01\)(\d{14})\(21\)(.+)$/s.exec(code) ?? []
  return di === undefined || serial === undefined ? [] : [{ code, di, serial }]
}

/**
 * Units by their printed codes, as this organisation means them: its own in-house codes before others'. A GS1 code
 * without a piece is the in-house code that it contains, where the goods are the same: `bare` is then that code.
 */
export async function serialsByCode(tx: Tx, org: string, codes: readonly string[]): Promise<Map<string, KnownUnit>> {
  const asked = new Set(codes)
  if (asked.size === 0) return new Map()
  const labels = Map.groupBy([...asked].flatMap(serialised), one => one.serial)
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
    select bare, lot_id, unit_id, kind, issuer_org_id, ended, replaced_by from unit_code
      where bare = any(${[...asked, ...labels.keys()]})`
  if (named.length === 0) return new Map()
  const units = await tx<
    (Omit<KnownUnit, 'bare' | 'ended' | 'replaced_by' | 'is_pack'> & { readonly di: string | null })[]
  >`
    select u.lot_id, u.id as unit_id, u.specification_id, u.quantity, s.udi_di as di, t.lot_no,
      u.status, u.holder_org_id,
      u.warehouse_id, u.store, u.place, u.owner_id, u.under, u.use_org_id, u.use_id
      from unit u join lot t on t.id = u.lot_id join specification s on s.id = u.specification_id
     where u.lot_id = any(${[...new Set(named.map(row => row.lot_id))]}::bigint[])
       and u.id = any(${named.map(row => row.unit_id)}::bigint[])`
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
    if (!unit) continue
    const { di, ...state } = unit
    const is_pack = row.kind === 'pack'
    const known = { ...state, bare: row.bare, ended: row.ended, replaced_by: row.replaced_by, is_pack }
    if (asked.has(row.bare)) found.set(row.bare, known)
    if (row.kind !== 'inhouse') continue
    for (const one of labels.get(row.bare) ?? [])
      if (one.di === di && found.get(one.code)?.bare !== one.code) found.set(one.code, known)
  }
  return found
}

/**
 * Registers units in the state in which their first event leaves them, and their codes. Returns their identities in
 * order.
 */
export async function createSerials(
  tx: Tx,
  issuer: string,
  births: readonly Birth[],
): Promise<{ lot_id: string; unit_id: string }[]> {
  if (births.length === 0) return []
  const [{ ids }] = (await tx<
    { ids: string[] }[]
  >`select array_agg(nextval('unit_id_seq')) as ids from generate_series(1, ${births.length}::int)`) as unknown as [
    { ids: string[] },
  ]
  const rows = births.map((birth, at) => ({ ...birth, code: codeKey(birth, issuer), unit_id: ids[at]! }))
  const alike = listedOnce(
    rows.map(({ lot_id, specification_id, state, unit_id, quantity = '1' }) => ({
      lot_id,
      specification_id,
      quantity,
      ...state,
      unit_id,
    })),
  )
  const inserted = tx`
    insert into unit (lot_id, id, specification_id, quantity, ${tx.unsafe(stateNames)})
    select k.lot_id, unnest(k.unit_ids), k.specification_id, k.quantity, ${tx.unsafe(stateNames)}
      from jsonb_to_recordset(${tx.json(alike)}) as k(lot_id bigint, unit_ids bigint[],
        specification_id bigint, quantity numeric, ${tx.unsafe(stateSet)})
    returning id`
  const named = tx<{ code: string }[]>`
    insert into unit_code as c (code, bare, lot_id, unit_id, kind, issuer_org_id)
    select k.code, k.bare, k.lot_id, k.unit_id, k.kind, ${issuer}::bigint
      from unnest(${rows.map(row => row.code)}::text[], ${rows.map(row => row.bare)}::text[],
        ${rows.map(row => row.lot_id)}::bigint[], ${rows.map(row => row.unit_id)}::bigint[],
        ${rows.map(row => row.kind)}::text[])
           as k(code, bare, lot_id, unit_id, kind)
     order by k.code
    on conflict (code) do update set lot_id = excluded.lot_id, unit_id = excluded.unit_id
     where c.ended is null and (select u.status from unit u where u.lot_id = c.lot_id and u.id = c.unit_id) = 'void'
    returning code`
  const [, taken] = await pipelined([inserted, named])
  if (taken.length < rows.length) {
    const wrote = new Set(taken.map(row => row.code))
    throw new BusinessError(
      'duplicate',
      `院内码${rows.find(row => !wrote.has(row.code))?.bare ?? ''}已存在，请核对后重新扫描`,
    )
  }
  return rows.map(row => ({ lot_id: row.lot_id, unit_id: row.unit_id }))
}

const stateNames = 'status, holder_org_id, warehouse_id, store, place, owner_id, under, use_org_id, use_id'
const stateSet =
  'status text, holder_org_id bigint, warehouse_id bigint, store text, place text, owner_id bigint, under ' +
  'text, use_org_id bigint, use_id bigint'

/**
 * Rows that say the same of several units are written once, with all their numbers; a unit with several different
 * rows keeps its order.
 */
function listedOnce<Row extends { readonly unit_id: string }>(
  rows: readonly Row[],
): (Omit<Row, 'unit_id'> & { unit_ids: string[] })[] {
  const units = rows.map(row => row.unit_id).filter(unit => unit !== '0')
  const isPlain = units.length === 0 || new Set(units).size < units.length
  if (isPlain) return rows.map(({ unit_id, ...rest }) => ({ ...rest, unit_ids: [unit_id] }))
  const alike = Map.groupBy(rows, ({ unit_id: _unit, ...rest }) => JSON.stringify(rest))
  return [...alike.values()].map(group => {
    const { unit_id: _unit, ...rest } = group[0]!
    return { ...rest, unit_ids: group.map(row => row.unit_id) }
  })
}

/**
 * Moves units from the state they were read in to their next one and writes the events. The UPDATE contains the
 * guard: a unit moved by another transaction meanwhile is not moved twice. Lots ascending, units ascending.
 */
export async function writeTrace(tx: Tx, cause: Cause, rows: readonly TraceRow[], undoing = false): Promise<void> {
  if (rows.length === 0) return
  const moving = rows.filter(row => row.unit_id !== '0' && !row.born)
  if (moving.length > 0) {
    const states = moving
      .map(row => ({ lot_id: row.lot_id, unit_id: row.unit_id, was: row.before, ...row.after }))
      .sort((a, b) => compareIds(a.lot_id, b.lot_id) || compareIds(a.unit_id, b.unit_id))
    const moved = await tx`
      update unit u set status = n.status, holder_org_id = n.holder_org_id, warehouse_id = n.warehouse_id,
        store = n.store, place = n.place, owner_id = n.owner_id,
             under = n.under, use_org_id = n.use_org_id, use_id = n.use_id
        from (select k.*, unnest(k.unit_ids) as unit_id
                from jsonb_to_recordset(${tx.json(listedOnce(states))}) as k(lot_id bigint,
                  unit_ids bigint[], was jsonb, ${tx.unsafe(stateSet)})) n
       where u.lot_id = n.lot_id and u.id = n.unit_id
         and u.lot_id = any(${[...new Set(moving.map(row => row.lot_id))]}::bigint[])
         and u.status = n.was->>'status' and u.holder_org_id is not distinct from (n.was->>'holder_org_id')::bigint
         and u.warehouse_id is not distinct from (n.was->>'warehouse_id')::bigint and u.under is not distinct
           from n.was->>'under'
      returning u.id`
    if (moved.length < moving.length) throw new BusinessError('staleVersion', '院内码刚被他人操作，请刷新后重新扫描')
  }
  const events = rows.map(row => ({
    line_no: row.line_no,
    step: undoing ? 'undo' : row.step,
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
  const stops = [
    ...new Map(
      events
        .flatMap(({ lot_id, from_org, to_org }) => [from_org, to_org].map(org => ({ lot_id, org })))
        .filter(stop => stop.org !== null)
        .map(stop => [`${stop.lot_id}/${stop.org}`, stop]),
    ).values(),
  ]
  await tx`
    with written as (
      insert into trace_event (lot_id, unit_id, step, org_id, from_org_id, from_place, from_warehouse_id, to_org_id,
        to_place, to_warehouse_id,
        quantity, document_kind, document_sn, document_id, line_no, actor, before, undo_of)
      select k.lot_id, unnest(k.unit_ids), k.step, ${cause.org}::bigint, k.from_org, k.from_place, k.from_warehouse,
        k.to_org, k.to_place, k.to_warehouse,
             k.quantity, ${cause.kind}, ${cause.sn}, ${cause.document ?? null}::bigint, k.line_no,
             ${cause.actor}, k.before, k.undo_of
        from jsonb_to_recordset(${tx.json(listedOnce(events))}) as k(lot_id bigint,
          unit_ids bigint[], step text, from_org bigint, from_place text, from_warehouse bigint,
             to_org bigint, to_place text, to_warehouse bigint, quantity numeric, line_no int, before jsonb,
               undo_of bigint))
    insert into lot_org (lot_id, org_id)
    select k.lot_id, k.org
      from unnest(${stops.map(stop => stop.lot_id)}::bigint[], ${stops.map(stop => stop.org)}::bigint[]) as k(lot_id,
      org)
     order by 1, 2
    on conflict (lot_id, org_id) do nothing`
}
