import { parseCode } from '#kernel/codes/parse-code.ts'
import { minuteOf, today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { type Fragment, likePattern, type RecordRow, type RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { codesNamedSql } from '#server/public/stock.ts'
import { bindRfid, makeLabels, replaceLabels, voidLabels } from '#server/public/traceability.ts'
import type { Tx } from '#server/public/database.ts'

/** The maximum number of pieces one scanned or typed text may match. */
const MOST_HITS = 200

type Code = {
  readonly lot_id: string
  readonly unit_id: string
  readonly code: string
  readonly kind: string
  readonly ended: string | null
}

/** Codes are partitioned by code and units by lot: they are read one after the other, never joined. */
async function codesOf(
  tx: Tx,
  units: readonly { readonly lot: unknown; readonly unit: unknown }[],
): Promise<Map<string, Code[]>> {
  const known = units.filter(one => one.lot !== null && one.unit !== null)
  const rows =
    known.length === 0
      ? []
      : await tx<Code[]>`
    select c.lot_id, c.unit_id, c.bare as code, c.kind, c.ended from unit_code c
     where (c.lot_id, c.unit_id) in (select lot, unit
       from unnest(${known.map(one => String(one.lot))}::bigint[],
       ${known.map(one => String(one.unit))}::bigint[]) n(lot, unit))
     order by c.kind = 'rfid', c.kind = 'inhouse' desc, c.kind, c.bare desc`
  return Map.groupBy(rows, row => row.unit_id)
}

/** The organisation's own label for the piece, if any; the newest counts. */
const made = (tx: Tx, session: Session, column: Fragment): Fragment => tx`(
  select ${column} from issued_label m where m.org_id = ${session.org.id} and m.lot_id = t.lot_id and m.unit_id = t.id
    order by m.made_at desc limit 1)`
const printed = (tx: Tx, session: Session): Fragment => tx`(
  select count(*)::int from label_print g where g.org_id = ${session.org.id} and g.lot_id = t.lot_id
    and g.unit_id = t.id and g.pack_code is null)`
/** The document under which the piece first came into this organisation. */
const source = (tx: Tx, session: Session): Fragment => tx`(
  select e.document_sn from trace_event e where e.lot_id = t.lot_id and e.unit_id = t.id
    and e.org_id = ${session.org.id} order by e.seq limit 1)`

/** The supplier named on the document; for opening stock, the owner if that is another organisation. */
const supplier = (tx: Tx, session: Session): Fragment => tx`coalesce(
  (select o.name from document d join organisation o on o.id = d.counterparty_id
    where d.org_id = ${session.org.id} and d.role = 'own' and d.sn = ${source(tx, session)}),
  case when t.owner_id <> ${session.org.id} then (select o.name from organisation o where o.id = t.owner_id) end)`

/** When and by whom the labels of some pieces were printed, in order; reprints with the reason. */
async function printsOf(tx: Tx, session: Session, rows: readonly RecordRow[]): Promise<Map<string, string[]>> {
  const prints = await tx<
    { unit_id: string; seq: number; layout: string; printed_by: string; reason: string | null; at: string }[]
  >`
    select g.unit_id, g.seq, g.layout, g.printed_by, g.reason, g.at from label_print g
     where g.org_id = ${session.org.id} and g.pack_code is null and (g.lot_id, g.unit_id) in (
             select lot, unit
               from unnest(${rows.map(row => String(row.lot_sn))}::bigint[],
               ${rows.map(row => String(row.unit_sn))}::bigint[]) n(lot, unit))
     order by g.unit_id, g.seq`
  const said = (row: (typeof prints)[number]) =>
    [
      minuteOf(new Date(row.at)),
      row.printed_by,
      row.seq === 1 ? '打印' : `补打：${row.reason ?? '-'}`,
      row.layout,
    ].join('　')
  return new Map([...Map.groupBy(prints, row => row.unit_id)].map(([unit, some]) => [unit, some.map(said)]))
}

/** The serial number within the manufacturer's code of a piece. */
function serialOf(codes: readonly Code[]): string | null {
  const udi = codes.find(one => one.kind === 'udi')
  const parsed = udi && parseCode(udi.code, { today: today() })
  return parsed?.ok ? (parsed.serial ?? null) : null
}

export const unitLabelRules: RecordRules = {
  kind: 'unitLabel',
  calls: {
    gen: ({ tx, session, asked: { source_sn: source, count } }) =>
      makeLabels(
        tx,
        session,
        { source: String(source).trim() },
        count === null || count === undefined ? null : parseInteger(count),
      ),
    replace: ({ tx, session, asked: { reason }, ids }) => replaceLabels(tx, session, ids, String(reason)),
    void: ({ tx, session, asked: { reason }, ids }) => voidLabels(tx, session, ids, String(reason)),
    bindRfid: ({ tx, session, asked: { epc }, ids }) => bindRfid(tx, session, ids, String(epc)),
  },
  async prepare(tx, _session, { q }) {
    if (q === null) return {}
    const hits = await tx<{ unit_id: string }[]>`
      select unit_id from unit_code where bare = any(${codesNamedSql(tx, q)})
       union all
      (select unit_id from unit_code where bare like ${likePattern(q).slice(1)} limit ${MOST_HITS})`
    return { units: hits.map(hit => hit.unit_id) }
  },
  source: tx =>
    tx`(select u.id, u.lot_id, u.specification_id, u.status, u.holder_org_id, u.warehouse_id, u.owner_id, u.parent_id,
      u.use_org_id, u.quantity, u.place, l.lot_no from unit u join lot l on l.id = u.lot_id where u.id > 0)`,
  visible: (tx, session) => tx`(t.holder_org_id = ${session.org.id} or t.use_org_id = ${session.org.id}
    or (t.status = 'void'
      and (t.lot_id, t.id) in (select m.lot_id, m.unit_id from issued_label m where m.org_id = ${session.org.id})))`,
  search: (tx, pattern, parameters) =>
    tx`t.id = any(${(parameters.units ?? []) as string[]}::bigint[]) or t.lot_no ilike ${pattern}`,
  columns: (tx, session) => ({
    code: tx`null::text`,
    codes: tx`null::text[]`,
    ended_codes: tx`null::text[]`,
    rfid: tx`null::text`,
    // A piece in a numbered kit is found by the code of the kit.
    parent_code: tx`(select c.code from container_place c where c.org_id = ${session.org.id} and c.code = t.place
      and t.holder_org_id = ${session.org.id})`,
    label_kind: tx`(
      select case when bool_or(c.kind = 'inhouse') then 'piece' when bool_or(c.kind = 'pack') then 'pack'
        else 'udi' end from unit_code c where c.lot_id = t.lot_id and c.unit_id = t.id and c.kind <> 'rfid')`,
    lot_no: tx`t.lot_no`,
    holder_name: tx`${tx('to_holder_org_sn.name')}`,
    product_code: tx`(select p.code from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    serial: tx`null::text`,
    // A package counts its contents.
    pack_quantity: tx`greatest(t.quantity::int, (
      select count(*)::int from unit c where c.lot_id = t.lot_id and c.parent_id = t.id))`,
    supplier_name: supplier(tx, session),
    product_name: tx`(select p.name from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    expiry_date: tx`(select k.expiry_date from stock_lot k where k.org_id = ${session.org.id} and k.lot_id = t.lot_id)`,
    times: printed(tx, session),
    print_log: tx`null::text[]`,
    print_state: tx`case when ${printed(tx, session)} > 0 then 'yes' else 'no' end`,
    source_no: tx`coalesce(${made(tx, session, tx`m.source_sn`)}, ${source(tx, session)})`,
    job_sn: made(tx, session, tx`m.job_sn`),
    made_at: tx`coalesce(${made(tx, session, tx`m.made_at`)}, (
      select e.at from trace_event e where e.lot_id = t.lot_id and e.unit_id = t.id and e.org_id = ${session.org.id}
        order by e.seq limit 1))`,
    made_by: tx`coalesce(${made(tx, session, tx`m.made_by`)}, (
      select e.actor from trace_event e where e.lot_id = t.lot_id and e.unit_id = t.id and e.org_id = ${session.org.id}
        order by e.seq limit 1))`,
    lot_sn: tx`t.lot_id`,
    parent_sn: tx`t.parent_id`,
  }),
  async complete(tx, session, rows) {
    const prints = await printsOf(tx, session, rows)
    const codes = await codesOf(
      tx,
      rows.flatMap(row => [
        { lot: row.lot_sn, unit: row.unit_sn },
        { lot: row.lot_sn, unit: row.parent_sn },
      ]),
    )
    const of = (unit: unknown) => codes.get(String(unit)) ?? []
    const live = (unit: unknown) => of(unit).filter(one => one.ended === null)
    return rows.map(({ lot_sn: _lot, parent_sn: parent, ...row }): RecordRow => {
      const ended = of(row.unit_sn).filter(one => one.ended !== null && one.kind !== 'rfid')
      return {
        ...row,
        // A voided piece is still listed by its last code.
        code: live(row.unit_sn)[0]?.code ?? ended[0]?.code ?? null,
        codes: live(row.unit_sn).map(one => one.code),
        ended_codes: ended.map(one => one.code),
        serial: serialOf(of(row.unit_sn)),
        rfid: live(row.unit_sn).find(one => one.kind === 'rfid')?.code ?? null,
        parent_code: live(parent)[0]?.code ?? row.parent_code ?? null,
        print_log: prints.get(String(row.unit_sn)) ?? [],
      }
    })
  },
}
