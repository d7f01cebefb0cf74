import type { Place } from '#kernel/ledger/posting.ts'
import { cachedInTx, type Tx } from '#server/database/transaction.ts'

/** The two locations every organisation has beside its stores: goods in transit, and used goods. */
export type VirtualLocations = {
  readonly transit: string
  readonly consumed: string
  readonly names: ReadonlyMap<string, string>
}

export const virtualLocations = (tx: Tx, org: string): Promise<VirtualLocations> =>
  cachedInTx(tx, `places/${org}`, () => readPlaces(tx, org))

async function readPlaces(tx: Tx, org: string): Promise<VirtualLocations> {
  const rows = await tx<
    { id: string; name: string; model: string }[]
  >`select id, name, model from warehouse where org_id = ${org}`
  const find = (model: string) => rows.find(row => row.model === model)?.id
  const [transit, consumed] = [find('transit'), find('consumed')]
  if (!transit || !consumed) throw new Error(`organisation ${org} lacks its transit or consumed place`)
  return { transit, consumed, names: new Map(rows.map(row => [row.id, row.name])) }
}

/** The warehouse and location of one of our places; null where we keep no row. */
export function locationOf(place: Place, places: VirtualLocations): { warehouse_id: string; location: string } | null {
  switch (place.at) {
    case 'store':
      return { warehouse_id: place.warehouse, location: place.location ?? '' }
    case 'transit':
      return { warehouse_id: places.transit, location: place.under }
    case 'consumed':
      return { warehouse_id: places.consumed, location: '' }
    default:
      return null
  }
}
