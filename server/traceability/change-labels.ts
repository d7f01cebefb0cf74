import type { Decimal } from '#kernel/values/decimal.ts'
import { derived, documents } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/access/session.ts'
import { goneWords, heldUnits, type HeldUnit } from '#server/traceability/units-on-hand.ts'
import { labelKind } from '#server/traceability/labels.ts'
import { nextLabelJob, nextUnitCodes } from '#server/ledger/serial-numbers.ts'
import type { Tx } from '#server/database/transaction.ts'
import { codeKey, stateOf, type TraceRow, type UnitState, serialsByCode, writeTrace } from '#server/ledger/trace.ts'

type Said = { readonly said: string }
type Piece = HeldUnit & { readonly state: UnitState }

const lotsOf = (units: readonly HeldUnit[]) => [...new Set(units.map(unit => unit.lot_id))]
const idsOf = (units: readonly HeldUnit[]) => units.map(unit => unit.unit_sn)
const stands = (unit: HeldUnit): string => (goneWords[unit.status] ? `已${goneWords[unit.status]}` : '不在库')

/** The pieces with their current location, in the requested order. */
async function pieces(tx: Tx, session: Session, keys: readonly string[]): Promise<Piece[]> {
  const units = await heldUnits(tx, session, keys.join(','))
  const states = await tx<(UnitState & { id: string })[]>`
    select id, status, holder_org_id, warehouse_id, store, place, owner_id, under, use_org_id, use_id from unit
     where lot_id = any(${lotsOf(units)}::bigint[]) and id = any(${idsOf(units)}::bigint[])`
  const byId = new Map(states.map(row => [row.id, stateOf(row)]))
  return units.map(unit => ({ ...unit, state: byId.get(unit.unit_sn)! }))
}

/** An event at the piece's current location. */
function inPlace(
  { lot_id, unit_sn, state }: Piece,
  at: number,
  after: UnitState,
  more: Partial<TraceRow> = {},
): TraceRow {
  const end = { org: state.holder_org_id, place: state.store, warehouse: state.warehouse_id }
  return {
    line_no: at + 1,
    step: 'relabel',
    lot_id,
    unit_id: unit_sn,
    quantity: '1.000' as Decimal,
    from: end,
    to: end,
    before: state,
    after,
    ...more,
  }
}

/** A piece named by its code on an open document keeps that code until the document is finished. */
async function refusePromised(tx: Tx, session: Session, codes: readonly string[]): Promise<void> {
  const [taken] = await tx<{ code: string; sn: string }[]>`
    select c.code, d.sn from reservation r cross join unnest(r.unit_codes) as c(code)
      join document d on d.org_id = r.org_id and d.id = r.document_id
     where r.org_id = ${session.org.id} and r.unit_codes && ${codes as string[]} and c.code = any(${codes as string[]})
       limit 1`
  if (taken) throw new BusinessError('unitNotHere', `院内码${taken.code}已被单据${taken.sn}占用，请先处理该单据`)
}

/** Ends the organisation's own labels of these pieces. */
const endMade = (tx: Tx, session: Session, units: readonly HeldUnit[], reason: string) => tx`
  update issued_label set ended_at = now(), ended_by = ${session.userName}, reason = ${reason}
   where org_id = ${session.org.id} and lot_id = any(${lotsOf(units)}::bigint[])
     and unit_id = any(${idsOf(units)}::bigint[]) and ended_at is null`

/**
 * 换签: pieces in stock get new codes of the organisation; the old ones end, and lead to the new ones when scanned.
 * The maker's codes stay: they are printed on the box.
 */
export async function replaceLabels(
  tx: Tx,
  session: Session,
  keys: readonly string[],
  reason: string,
): Promise<Said & { codes: readonly string[] }> {
  const units = await pieces(tx, session, keys)
  const away = units.find(unit => unit.status !== 'in_stock' || unit.holder_org_id !== session.org.id)
  if (away) throw new BusinessError('rule', `该标签${stands(away)}，不能换签（${away.code}）`)
  await refusePromised(
    tx,
    session,
    units.map(unit => unit.code),
  )
  const [job, codes] = [await nextLabelJob(tx, session), await nextUnitCodes(tx, session, units.length)]
  const full = codes.map(bare => codeKey({ bare, kind: 'inhouse' }, session.org.id))
  const lots = units.map(unit => unit.lot_id)
  await tx`
    update unit_code c set ended = 'replaced', replaced_by = n.code
      from unnest(${lots}::bigint[], ${idsOf(units)}::bigint[], ${codes}::text[]) n(lot, unit, code)
     where c.lot_id = n.lot and c.unit_id = n.unit and c.kind = 'inhouse' and c.issuer_org_id = ${session.org.id}
       and c.ended is null`
  await tx`
    insert into unit_code (code, bare, lot_id, unit_id, kind, issuer_org_id)
    select n.code, n.bare, n.lot, n.unit, 'inhouse', ${session.org.id}::bigint
      from unnest(${full}::text[], ${codes}::text[], ${lots}::bigint[], ${idsOf(units)}::bigint[]) n(code, bare, lot,
        unit)
    returning code`
  // In a pack it goes on under its new code.
  await tx`
    update pack k set piece_code = n.code
      from unnest(${lots}::bigint[], ${idsOf(units)}::bigint[], ${codes}::text[]) n(lot, unit, code)
     where k.org_id = ${session.org.id} and k.lot_id = n.lot and k.unit_id = n.unit and k.piece_code is not null
       and k.opened_at is null`
  await endMade(tx, session, units, reason)
  await tx`
    insert into issued_label (org_id, lot_id, unit_id, code, job_sn, source_sn, made_by)
    select ${session.org.id}, n.lot, n.unit, n.code, ${job},
           (select m.source_sn from issued_label m where m.org_id = ${session.org.id} and m.lot_id = n.lot
             and m.unit_id = n.unit order by m.made_at limit 1), ${session.userName}
      from unnest(${lots}::bigint[], ${idsOf(units)}::bigint[], ${codes}::text[]) n(lot, unit, code)
    returning code`
  await writeTrace(
    tx,
    { org: session.org.id, kind: labelKind(), sn: job, actor: session.userName },
    units.map((unit, at) => inPlace(unit, at, unit.state)),
  )
  const said =
    units.length === 1
      ? `${units[0]!.code}已换签为${codes[0]!}，请打印新标签`
      : `${units.length}张标签已换签，请打印新标签`
  return { said, codes }
}

type First = {
  readonly unit_id: string
  readonly seq: string
  readonly step: string
  readonly from_place: string | null
  readonly before: UnitState
  readonly events: number
}

/**
 * 作废: a label that was never printed is removed as if not made; one of goods already gone only ends. Stock with a
 * printed label cannot be left without one.
 */
export async function voidLabels(tx: Tx, session: Session, keys: readonly string[], reason: string): Promise<Said> {
  const units = await pieces(tx, session, keys)
  const stored = units.filter(unit => unit.status === 'in_stock' || unit.status === 'in_transit')
  const first = await tx<First[]>`
    select distinct on (e.lot_id, e.unit_id) e.unit_id, e.seq, e.step, e.from_place, e.before,
           count(*) over (partition by e.lot_id, e.unit_id)::int as events
      from trace_event e where e.lot_id = any(${lotsOf(stored)}::bigint[])
        and e.unit_id = any(${idsOf(stored)}::bigint[])
        order by e.lot_id, e.unit_id, e.seq`
  const births = new Map(first.map(row => [row.unit_id, row]))
  const kept = stored.find(unit => {
    const birth = births.get(unit.unit_sn)
    return unit.times > 0 || birth?.step !== 'relabel' || birth.events > 1
  })
  if (kept) throw new BusinessError('rule', `在库产品标签不能作废，请使用换签（${kept.code}）`)
  await refusePromised(
    tx,
    session,
    units.map(unit => unit.code),
  )
  await tx`
    update unit_code set ended = 'void' where lot_id = any(${lotsOf(units)}::bigint[])
      and unit_id = any(${idsOf(units)}::bigint[])
       and issuer_org_id = ${session.org.id} and kind <> 'udi' and ended is null`
  await endMade(tx, session, units, reason)
  const job = await nextLabelJob(tx, session)
  const undone = stored.map((unit, at) => {
    const birth = births.get(unit.unit_sn)!
    const to = { org: unit.state.holder_org_id, place: birth.from_place, warehouse: null }
    return { ...inPlace(unit, at, birth.before, { to }), undo_of: birth.seq }
  })
  await writeTrace(tx, { org: session.org.id, kind: labelKind(), sn: job, actor: session.userName }, undone, true)
  return { said: `${units.length}张标签已作废` }
}

const bound = new Set(['in_stock', 'in_transit', 'issued'])

/** Documents by which a piece goes to another organisation. */
const leaving = derived(() =>
  documents()
    .filter(({ intercompany: { copies: sends } }) => sends?.some(send => send.creates))
    .map(({ kind }) => kind),
)

/**
 * Refuses a tag that another live piece has; a piece returned to its supplier by the tagging organisation no longer
 * has one.
 */
async function refuseBound(tx: Tx, session: Session, key: string, epc: string, unit: HeldUnit): Promise<void> {
  const [held] = await tx<{ lot_id: string; unit_id: string; ended: string | null; issuer: string | null }[]>`
    select lot_id, unit_id, ended, issuer_org_id as issuer from unit_code where code = ${key}`
  if (!held) {
    if ((await serialsByCode(tx, session.org.id, [epc])).has(epc))
      throw new BusinessError('duplicate', `${epc}已是其他产品的编码，请核对`)
    return
  }
  if (held.ended !== null || held.unit_id === unit.unit_sn) return
  const [other] = await tx<{ status: string; went_back: boolean; code: string | null }[]>`
    select u.status,
           exists (select 1 from trace_event e
                    where e.lot_id = u.lot_id and e.unit_id = u.id and e.step = 'return'
                      and e.document_kind = any(${leaving()}) and e.org_id = ${held.issuer}
                      and (u.holder_org_id <> e.org_id or u.status = 'in_transit' and u.under = e.document_sn)
                      and not exists (select 1 from trace_event x where x.lot_id = e.lot_id and x.unit_id = e.unit_id
                        and x.undo_of = e.seq)) as went_back,
                        (select x.bare from unit_code x where x.lot_id = u.lot_id and x.unit_id = u.id
                        and x.kind <> 'rfid' and x.ended is null order by x.kind = 'inhouse' desc limit 1) as code
      from unit u where u.lot_id = ${held.lot_id} and u.id = ${held.unit_id}`
  if (bound.has(other?.status ?? '') && !other?.went_back)
    throw new BusinessError('duplicate', `RFID标签${epc}已绑定${other?.code ?? '其他产品'}`)
}

/** 绑定RFID: one tag, one piece. A tag is released automatically when its piece is used, scrapped or returned. */
export async function bindRfid(tx: Tx, session: Session, keys: readonly string[], written: string): Promise<Said> {
  const epc = written.trim().toUpperCase()
  if (!/^[0-9A-F]{8,64}$/.test(epc))
    throw new BusinessError('invalid', 'RFID标签号(EPC)应为8至64位十六进制字符', [
      { field: 'epc', msg: '请扫描或输入EPC' },
    ])
  if (keys.length > 1) throw new BusinessError('invalid', '一个RFID标签只能绑定一件产品，请只勾选一行')
  const [unit] = await pieces(tx, session, keys)
  if (!bound.has(unit!.status)) throw new BusinessError('rule', `该标签${stands(unit!)}，不能绑定RFID`)
  const key = `rfid:${epc}`
  await refuseBound(tx, session, key, epc, unit!)
  // A piece has one tag at a time.
  await tx`
    update unit_code set ended = 'unbound'
     where lot_id = ${unit!.lot_id} and unit_id = ${unit!.unit_sn} and kind = 'rfid' and code <> ${key}
       and ended is null`
  await tx`
    insert into unit_code (code, bare, lot_id, unit_id, kind, issuer_org_id)
      values (${key}, ${epc}, ${unit!.lot_id}, ${unit!.unit_sn}, 'rfid', ${session.org.id})
    on conflict (code) do update set lot_id = excluded.lot_id, unit_id = excluded.unit_id,
      issuer_org_id = excluded.issuer_org_id, ended = null`
  return { said: `${unit!.code}已绑定RFID标签${epc}` }
}
