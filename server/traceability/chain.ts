import type { Decimal } from '#kernel/values/decimal.ts'
import { orgTypeName, type OrgType } from '#kernel/values/organisation-type.ts'
import { type Step, steps } from '#kernel/ledger/posting.ts'
import type { Subject } from '#server/traceability/resolve.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

export type Event = {
  readonly seq: string
  readonly unit_id: string
  readonly at: string
  readonly step: Step
  readonly org_id: string
  readonly from_org_id: string | null
  readonly from_place: string | null
  readonly to_org_id: string | null
  readonly to_place: string | null
  readonly quantity: Decimal
  readonly document_kind: string
  readonly document_sn: string
  readonly line_no: number
  readonly actor: string | null
  readonly undo_of: string | null
  readonly from_warehouse_id: string | null
  readonly to_warehouse_id: string | null
}
const MOST_EVENTS = 2000

/** Events of one unit or of the lot itself, in chronological order. A plain range of the primary key. */
export const eventsOf = (tx: Tx, lot: string, unit: string): Promise<Event[]> =>
  tx<Event[]>`
  select seq, unit_id, at, step, org_id, from_org_id, from_place, to_org_id, to_place, quantity, document_kind,
    document_sn, line_no, actor, undo_of, from_warehouse_id, to_warehouse_id
    from trace_event where lot_id = ${lot} and unit_id = ${unit} order by seq
      limit ${MOST_EVENTS}` as unknown as Promise<Event[]>

const MOST_CORRECTIONS = 10
/**
 * A piece's events from its creation, and the lot it was created in: where its lot was corrected, those under the
 * wrong lot come first.
 */
export async function lifeOf(tx: Tx, lot: string, unit: string): Promise<{ lot: string; events: Event[] }> {
  const events = await eventsOf(tx, lot, unit)
  let [now] = await formerOf(tx, lot, unit)
  let first = lot
  for (let step = 0; now && step < MOST_CORRECTIONS; step++) {
    events.unshift(...(await eventsOf(tx, now.lot, now.unit)))
    first = now.lot
    ;[now] = await formerOf(tx, now.lot, now.unit)
  }
  return { lot: first, events }
}
const formerOf = (tx: Tx, lot: string, unit: string) =>
  tx<{ lot: string; unit: string }[]>`
    select former_lot_id as lot, former_unit_id as unit from unit where lot_id = ${lot} and id = ${unit}
      and former_unit_id is not null`

/** Stations from which goods came to `org`, the nearest ones included: everything before it in the chain. */
export function stationsBefore(events: readonly Event[], org: string): Set<string> {
  const before = new Set<string>()
  for (let grew = true, reach = new Set([org]); grew; ) {
    grew = false
    for (const event of events) {
      if (!event.from_org_id || !event.to_org_id || event.step === 'undo' || event.from_org_id === event.to_org_id)
        continue
      if (reach.has(event.to_org_id) && !reach.has(event.from_org_id)) {
        reach.add(event.from_org_id)
        before.add(event.from_org_id)
        grew = true
      }
    }
  }
  return before
}

/** The lot's events that lead to where this unit was created: shown before its own and marked 批次. */
export function inherited(lotEvents: readonly Event[], unitEvents: readonly Event[]): Event[] {
  const birth = unitEvents[0]
  if (!birth?.from_org_id) return []
  const path = new Set([birth.from_org_id, ...stationsBefore(lotEvents, birth.from_org_id)])
  return lotEvents.filter(
    event =>
      BigInt(event.seq) < BigInt(birth.seq) &&
      (event.to_org_id === null ? false : path.has(event.to_org_id)) &&
      (event.from_org_id === null || path.has(event.from_org_id)),
  )
}

export type Names = {
  readonly of: (org: string | null) => string | null
  readonly visible: (org: string | null) => boolean
}

/**
 * Whom the caller may know by name: the maker and the platform everyone; a station all before it, itself and its
 * direct customers; further stations by type and province.
 */
export async function namesFor(tx: Tx, session: Session, events: readonly Event[], maker: string): Promise<Names> {
  const orgs = [
    ...new Set(
      events
        .flatMap(event => [event.from_org_id, event.to_org_id, event.org_id])
        .filter((org): org is string => org !== null),
    ),
  ]
  const rows = await tx<{ id: string; name: string; system_type: number; address: string; division: string | null }[]>`
    select id, name, system_type, address, administrative_division_sn as division from organisation
      where id = any(${orgs}::bigint[])`
  const all = session.org.type === 'P' || session.org.id === maker
  const direct = events
    .filter(event => event.from_org_id === session.org.id && event.to_org_id)
    .map(event => event.to_org_id!)
  const known = new Set([session.org.id, ...stationsBefore(events, session.org.id), ...direct])
  const byId = new Map(rows.map(row => [row.id, row]))
  return {
    visible: org => org !== null && (all || known.has(org)),
    of: org => {
      if (org === null) return null
      const row = byId.get(org)
      // Partners that are on no platform are known only to organisations that have them on file.
      if (!row) return '未入驻机构'
      if (all || known.has(row.id)) return row.name
      const type = (['P', 'H', 'D', 'V'] as const)[row.system_type] as OrgType
      return `${orgTypeName[type]}${province(row.division)}`
    },
  }
}

export const provinces: Readonly<Record<string, string>> = {
  11: '北京市',
  12: '天津市',
  13: '河北省',
  14: '山西省',
  15: '内蒙古自治区',
  21: '辽宁省',
  22: '吉林省',
  23: '黑龙江省',
  31: '上海市',
  32: '江苏省',
  33: '浙江省',
  34: '安徽省',
  35: '福建省',
  36: '江西省',
  37: '山东省',
  41: '河南省',
  42: '湖北省',
  43: '湖南省',
  44: '广东省',
  45: '广西壮族自治区',
  46: '海南省',
  50: '重庆市',
  51: '四川省',
  52: '贵州省',
  53: '云南省',
  54: '西藏自治区',
  61: '陕西省',
  62: '甘肃省',
  63: '青海省',
  64: '宁夏回族自治区',
  65: '新疆维吾尔自治区',
}
const province = (division: string | null): string =>
  division && provinces[division.slice(0, 2)] ? `（${provinces[division.slice(0, 2)]}）` : ''

/**
 * The given pieces and lots of which the caller is a station or the maker; the platform sees all, others find nothing.
 */
export async function maySee(tx: Tx, session: Session, subjects: readonly Subject[]): Promise<Subject[]> {
  if (subjects.length === 0 || session.org.type === 'P') return [...subjects]
  const lots = [...new Set(subjects.map(subject => subject.lot_id))]
  const stations = await tx<
    { lot_id: string }[]
  >`select lot_id from lot_org where lot_id = any(${lots}::bigint[]) and org_id = ${session.org.id}`
  const made = await tx<{ lot_id: string }[]>`
    select t.id as lot_id from lot t join specification s on s.id = t.specification_id
      join product p on p.id = s.product_id
     where t.id = any(${lots}::bigint[]) and p.manufacturer_id = ${session.org.id}`
  const seen = new Set([...stations, ...made].map(row => row.lot_id))
  return subjects.filter(subject => seen.has(subject.lot_id))
}

/** A station sees a unit only when the unit itself, or its lot before the unit was identified, passed through it. */
export function passedThrough(session: Session, maker: string, events: readonly Event[]): boolean {
  if (session.org.type === 'P' || session.org.id === maker) return true
  return events.some(event => event.from_org_id === session.org.id || event.to_org_id === session.org.id)
}

/** The events of the branch of the lot to which the caller belongs: those before it, its own, and those after it. */
export function ownBranch(session: Session, maker: string, events: readonly Event[]): Event[] {
  if (session.org.type === 'P' || session.org.id === maker) return [...events]
  const before = stationsBefore(events, session.org.id)
  const after = new Set([session.org.id])
  for (let grew = true; grew; ) {
    grew = false
    for (const event of events)
      if (
        event.from_org_id &&
        event.to_org_id &&
        after.has(event.from_org_id) &&
        !after.has(event.to_org_id) &&
        event.step !== 'undo'
      ) {
        after.add(event.to_org_id)
        grew = true
      }
  }
  return events.filter(event => {
    const ends = [event.from_org_id, event.to_org_id].filter((org): org is string => org !== null)
    if (ends.every(org => after.has(org))) return true
    return ends.every(org => before.has(org) || org === session.org.id) && (event.to_org_id === null ? false : true)
  })
}

/** An event as sent on the wire. */
export const shown = (event: Event, names: Names, ofLot: boolean) => ({
  seq: event.seq,
  at: event.at,
  step: event.step,
  step_name: steps[event.step] ?? event.step,
  from_org_name: names.of(event.from_org_id),
  from_place: names.visible(event.from_org_id ?? event.org_id) ? event.from_place : null,
  to_org_name: names.of(event.to_org_id),
  to_place: names.visible(event.to_org_id ?? event.org_id) ? event.to_place : null,
  quantity: event.quantity,
  document_kind: event.document_kind,
  document_sn: names.visible(event.org_id) ? event.document_sn : null,
  actor: names.visible(event.org_id) ? event.actor : null,
  org_name: names.of(event.org_id),
  undo_of: event.undo_of,
  is_lot: ofLot,
})

/**
 * Own events limited to those that touch a store of the session; events of other organisations are filtered by the
 * chain.
 */
export const withinScope = (session: Session, events: readonly Event[]): Event[] =>
  events.filter(event => {
    if (session.warehouses === 'all' || event.org_id !== session.org.id) return true
    const stores = [event.from_warehouse_id, event.to_warehouse_id].filter((store): store is string => store !== null)
    return stores.length === 0 || stores.some(store => (session.warehouses as ReadonlySet<string>).has(store))
  })

/** Names of own stores that the session does not see: their stock is not shown. */
export async function hiddenStores(tx: Tx, session: Session): Promise<ReadonlySet<string>> {
  if (session.warehouses === 'all') return new Set()
  const rows = await tx<{ name: string }[]>`
    select name from warehouse where org_id = ${session.org.id} and id <> all(${[...session.warehouses]}::bigint[])
      and model not in ('transit', 'consumed')`
  return new Set(rows.map(row => row.name))
}
