import type { PendingQuery, Row } from 'postgres'
import { type Decimal, add, isPositive, negate, subtract, sum } from '#kernel/values/decimal.ts'
import { steps, type Step } from '#kernel/ledger/posting.ts'
import { type Event, hiddenStores, namesFor, type Names, ownBranch } from '#server/traceability/chain.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Place = { org: string | null; store: string | null; status: string; quantity: Decimal }
type Bucket = { org_id: string | null; store: string | null; status: string; n: string }

/** The present places of a lot's units, from their rows: index-only however many units there are. */
const unitsNow = (tx: Tx, lot: string): Promise<Bucket[]> =>
  tx<Bucket[]>`
  select case when status = 'used' then use_org_id else holder_org_id end as org_id, store, status,
      sum(quantity)::text as n
    from unit where lot_id = ${lot} and status not in ('void', 'opened')
   group by 1, 2, 3 order by 1, 2, 3` as unknown as Promise<Bucket[]>

type AtPlace = { org_id: string; place: string | null; n: string }

/** The number of a lot's units by the places where such events began; undone events do not count. */
const atEvents = (tx: Tx, lot: string, such: PendingQuery<Row[]>): Promise<AtPlace[]> =>
  tx<AtPlace[]>`
  select from_org_id as org_id, from_place as place, sum(quantity)::text as n from trace_event e
   where lot_id = ${lot} and unit_id > 0 and ${such}
     and not exists (select 1 from trace_event x where x.lot_id = e.lot_id and x.unit_id = e.unit_id
       and x.undo_of = e.seq)
   group by 1, 2` as unknown as Promise<AtPlace[]>

/** Units coded on arrival of goods counted by lot until then: deducted from the lot's count at their origin. */
const namedFrom = (tx: Tx, lot: string) => atEvents(tx, lot, tx`from_org_id is not null and before->>'status' = 'void'`)

/** Packs that were opened: what they held is counted by lot again, where they were opened. */
const openedAt = (tx: Tx, lot: string) => atEvents(tx, lot, tx`step = 'unpack'`)

const total = (rows: readonly { readonly n: string }[]): Decimal =>
  sum(
    rows.map(row => row.n),
    3,
  )

const keyOf = (org: string | null, store: string | null, status: string) => `${org ?? ''}/${store ?? ''}/${status}`

/** Adds up the lot's own events: every end gains or loses; what leaves the chain is used or gone. */
function lotCount(
  events: readonly Event[],
  named: readonly AtPlace[],
  opened: readonly AtPlace[],
): { places: Map<string, Place>; made: Decimal } {
  const places = new Map<string, Place>()
  const put = (org: string | null, store: string | null, status: string, quantity: Decimal) => {
    const key = keyOf(org, store, status)
    const before = places.get(key)
    places.set(key, { org, store, status, quantity: add(before?.quantity ?? '0', quantity, 3) })
  }
  const stepOf = new Map(events.map(event => [event.seq, event.step]))
  const status = (place: string | null) => (place === '在途' ? 'in_transit' : 'in_stock')
  let made: Decimal = '0.000'
  for (const event of events) {
    const step = event.step === 'undo' ? (stepOf.get(event.undo_of ?? '') ?? 'undo') : event.step
    if (event.from_org_id) put(event.from_org_id, event.from_place, status(event.from_place), negate(event.quantity))
    else if (event.step === 'undo' && event.to_org_id) put(event.org_id, null, goneAs(step), negate(event.quantity))
    else made = add(made, event.quantity, 3)
    if (event.to_org_id) put(event.to_org_id, event.to_place, status(event.to_place), event.quantity)
    else if (event.step === 'undo') made = add(made, negate(event.quantity), 3)
    else put(event.org_id, null, goneAs(step), event.quantity)
  }
  for (const row of named) put(row.org_id, row.place, status(row.place), negate(row.n))
  for (const row of opened) put(row.org_id, row.place, status(row.place), row.n)
  return { places, made }
}

const goneAs = (step: Step | 'undo'): string =>
  step === 'use' ? 'used' : step === 'scrap' ? 'scrapped' : step === 'loss' ? 'lost' : step

const statusNames: Readonly<Record<string, string>> = {
  in_stock: '在库',
  in_transit: '在途',
  used: '已使用',
  opened: '已拆包',
  scrapped: '已报废',
  lost: '已报损',
  returned: '已退回',
  gone: '已出链',
}

/**
 * Forward recall of a lot: every holder and location, every use, and quantities that add up to what was made. The
 * caller sees its own branch; the maker and the platform see all.
 */
export async function recall(
  tx: Tx,
  session: Session,
  lot: string,
  maker: string,
  lotEvents: readonly Event[],
): Promise<Record<string, unknown>> {
  const [units, named, opened] = await Promise.all([unitsNow(tx, lot), namedFrom(tx, lot), openedAt(tx, lot)])
  // Units created individually, not from lot quantities; what an opened pack held is no unit any more.
  const born = subtract(sum([total(units), total(opened)], 3), total(named), 3)
  const all = session.org.type === 'P' || session.org.id === maker
  const branch = ownBranch(session, maker, lotEvents)
  const stations = await tx<{ org_id: string }[]>`select org_id from lot_org where lot_id = ${lot}`
  const edges = await unitEdges(tx, lot)
  const names = await namesFor(
    tx,
    session,
    [
      ...branch,
      ...edges,
      ...stations.map(
        station =>
          ({ from_org_id: station.org_id, to_org_id: null, org_id: station.org_id, step: 'undo' }) as unknown as Event,
      ),
    ],
    maker,
  )
  const visible = all ? null : descendants(session.org.id, [...branch, ...edges])
  const counted = lotCount(branch, named, opened)
  const places = [
    ...counted.places.values(),
    ...units.map(row => ({ org: row.org_id, store: row.store, status: row.status, quantity: row.n })),
  ].filter(place => isPositive(place.quantity) && (visible === null || (place.org !== null && visible.has(place.org))))
  const merged = merge(places)
  const uses = merged.filter(place => place.status === 'used')
  const gone = merged.filter(place => !['used', 'in_stock', 'in_transit'].includes(place.status))
  const holders = merged.filter(place => ['in_stock', 'in_transit'].includes(place.status))
  const row = shownPlace(names, await hiddenPlaces(tx, session))
  const made = all
    ? add(counted.made, born, 3)
    : sum(
        merged.map(place => place.quantity),
        3,
      )
  return {
    made,
    held: sum(
      holders.map(place => place.quantity),
      3,
    ),
    used: sum(
      uses.map(place => place.quantity),
      3,
    ),
    gone: sum(
      gone.map(place => place.quantity),
      3,
    ),
    holders: holders.map(row),
    uses: uses.map(row),
    losses: gone.map(row),
    organisations: all ? stations.length : new Set(merged.map(place => place.org)).size,
  }
}

/** A place as the caller may see it. */
const shownPlace = (names: Names, hides: (place: Place) => boolean) => (place: Place) => ({
  org_name: names.of(place.org),
  store: names.visible(place.org) && !hides(place) ? place.store : null,
  status: place.status,
  status_name: statusNames[place.status] ?? steps[place.status as Step] ?? place.status,
  quantity: add(place.quantity, '0', 3),
})

/** True if a place is an own store that the session does not see. */
async function hiddenPlaces(tx: Tx, session: Session): Promise<(place: Place) => boolean> {
  const hidden = await hiddenStores(tx, session)
  return place => place.org === session.org.id && hidden.has(place.store ?? '')
}

/** The deliveries of the lot's units: the structure of the chain, without reading every unit's events. */
async function unitEdges(tx: Tx, lot: string): Promise<Event[]> {
  return tx<Event[]>`
    select distinct from_org_id, to_org_id, org_id, 'receive' as step, '0' as seq from trace_event
     where lot_id = ${lot} and unit_id > 0 and step = 'receive' and from_org_id is not null
       and to_org_id is not null` as unknown as Promise<Event[]>
}

function descendants(org: string, edges: readonly Event[]): Set<string> {
  const reach = new Set([org])
  for (let grew = true; grew; ) {
    grew = false
    for (const edge of edges)
      if (
        edge.from_org_id &&
        edge.to_org_id &&
        reach.has(edge.from_org_id) &&
        !reach.has(edge.to_org_id) &&
        edge.step !== 'undo'
      ) {
        reach.add(edge.to_org_id)
        grew = true
      }
  }
  return reach
}

function merge(places: readonly Place[]): Place[] {
  const merged = new Map<string, Place>()
  for (const place of places) {
    const key = keyOf(place.org, place.store, place.status)
    const before = merged.get(key)
    merged.set(key, { ...place, quantity: add(before?.quantity ?? '0', place.quantity, 3) })
  }
  return [...merged.values()]
}
export type { Names }
