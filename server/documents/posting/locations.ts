import type { Place } from '#kernel/ledger/posting.ts'
import { cachedInTx, type Tx } from '#server/database/transaction.ts'
import { pinyinInitials } from '#server/reference/pinyin.ts'

/** The store in which a hospital keeps goods on loan for operations; nobody adds it by hand. */
export const loanStore = { model: 'loan', code: 'GENTAI', name: '跟台库' } as const

/**
 * The locations beside an organisation's stores: goods in transit, and used goods; at hospitals also what they have on
 * loan for operations.
 */
export type VirtualLocations = {
  readonly transit: string
  readonly consumed: string
  readonly loan: string | null
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
  return { transit, consumed, loan: find('loan') ?? null, names: new Map(rows.map(row => [row.id, row.name])) }
}

/** The hospital's store for goods on loan; the first that come create it. */
export async function withLoanStore(tx: Tx, org: string, places: VirtualLocations): Promise<VirtualLocations> {
  if (places.loan) return places
  const { code, name, model } = loanStore
  await tx`
    insert into warehouse (org_id, code, name, model, type, pinyin)
    values (${org}, ${code}, ${name}, ${model}, 3, ${pinyinInitials(name)}) on conflict (org_id, code) do nothing`
  return readPlaces(tx, org)
}

/** A place on loan is a store of ours, under the number that brought the goods. */
export function resolvePlace(place: Place, { loan }: VirtualLocations): Place {
  if (place.at !== 'loan') return place
  if (!loan) throw new Error('goods on loan need their store')
  return { at: 'store', warehouse: loan, location: place.under }
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
