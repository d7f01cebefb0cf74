import { divisionsNamed, isWithin } from '#server/engine/divisions.ts'
import type { Change } from '#server/engine/records/rules.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** What a dealer may sell: a product, in divisions (none: everywhere), to one hospital or all there, on these days. */
export type Authorised = {
  readonly product: string
  readonly hospital: string | null
  readonly areas: readonly string[]
  readonly from: string
  readonly to: string
}
export const authorisedIn = ({ after }: Pick<Change, 'after'>): Authorised => ({
  product: String(after.product_sn),
  hospital: (after.hospital_sn ?? null) as string | null,
  areas: divisionsNamed(String(after.area ?? '')).stems,
  from: String(after.valid_from),
  to: String(after.valid_to),
})

type Held = {
  readonly hospital_id: string | null
  readonly area_codes: string[]
  readonly valid_from: string
  /** Null: without end. */
  readonly valid_to: string | null
  readonly may_pass_on: boolean
  readonly status: string
}

/** What suppliers gave this organisation for a product, in force or not. */
export const heldFor = (tx: Tx, org: string, product: string) => tx<Held[]>`
  select hospital_id, area_codes, valid_from, valid_to, may_pass_on, status from authorised_for(${org}, ${product})`

/** Where an organisation is, as one division; nothing where nobody wrote it. */
export const divisionOf = async (tx: Tx, org: string | null): Promise<string[]> => {
  if (org === null) return []
  const [row] = await tx<
    { at: string | null }[]
  >`select administrative_division_sn as at from organisation where id = ${org}`
  return row?.at ? [row.at] : []
}

/** Whether one of the upper authorisations that may be passed on holds all of what is asked: product, hospital, area and days. */
export async function isCovered(tx: Tx, held: readonly Held[], asked: Authorised): Promise<boolean> {
  const place = await divisionOf(tx, asked.hospital)
  return held.some(
    one =>
      one.status === 'enabled' &&
      one.may_pass_on &&
      one.valid_from <= asked.from &&
      (one.valid_to === null || one.valid_to >= asked.to) &&
      (one.hospital_id === null || one.hospital_id === asked.hospital) &&
      (one.hospital_id !== null || isWithin(asked.hospital === null ? asked.areas : place, one.area_codes)),
  )
}
