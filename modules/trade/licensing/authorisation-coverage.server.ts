import { parseDivisions, isWithin } from '#server/public/organisations.ts'
import type { Change, RecordRow } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/** The goods of an authorisation: one product, or all of a manufacturer, of a class, or of both. */
export type Goods = {
  readonly product: string | null
  readonly maker: string | null
  readonly class: string | null
}
/**
 * A permission of a dealer to sell: goods, in divisions (none: everywhere), to one hospital or all there, in this
 * period.
 */
export type Authorised = Goods & {
  readonly hospital: string | null
  readonly areas: readonly string[]
  readonly from: string
  readonly to: string
}
const orNull = (value: unknown): string | null => (value ? String(value) : null)
export const authorisedIn = ({ after }: Pick<Change, 'after'>): Authorised => ({
  product: orNull(after.product_sn),
  maker: orNull(after.manufacturer_sn),
  class: orNull(after.class_code),
  hospital: orNull(after.hospital_sn),
  areas: parseDivisions(String(after.area ?? '')).stems,
  from: String(after.valid_from),
  to: String(after.valid_to),
})

/**
 * The goods of an authorisation must be consistent: the class is in the catalogue, the product belongs to its
 * manufacturer and class.
 */
export async function problemsOfGoods(tx: Tx, after: Readonly<RecordRow>) {
  const goods = authorisedIn({ after })
  if (goods.class !== null) {
    const [known] = await tx`select 1 from device_class where code = ${goods.class} limit 1`
    if (!known) return [{ field: 'class_code', msg: `分类目录中没有【${goods.class}】` }]
  }
  if (goods.product === null || (goods.maker === null && goods.class === null)) return []
  const [made] = await tx<{ theirs: boolean; classed: boolean }[]>`
    select ${goods.maker}::bigint is null or manufacturer_id = ${goods.maker} as theirs,
           speaks_of(null, null, ${goods.class}, id, manufacturer_id, class_code, class_code_2002) as classed
             from product where id = ${goods.product}`
  if (!made?.theirs) return [{ field: 'product_sn', msg: '授权产品不是该生产厂家的产品' }]
  return made.classed ? [] : [{ field: 'product_sn', msg: `授权产品不属于类别【${goods.class}】` }]
}

export type Held = {
  readonly hospital_id: string | null
  readonly area_codes: string[]
  readonly valid_from: string
  /** Null: without end. */
  readonly valid_to: string | null
  readonly may_pass_on: boolean
  readonly status: string
  /** True if it covers all the requested goods, not only some of them. */
  readonly whole: boolean
}

/** The authorisations of suppliers that this organisation holds for these goods or some of them, in force or not. */
export const heldFor = (tx: Tx, org: string, { product, maker, class: code }: Goods) => tx<Held[]>`
  select * from (
    select h.hospital_id, h.area_codes, h.valid_from, h.valid_to, h.may_pass_on, h.status,
           goods_within(h.product_id, h.manufacturer_id, h.class_code, ${product}, ${maker}, ${code}) as whole,
           goods_meet(h.product_id, h.manufacturer_id, h.class_code, ${product}, ${maker}, ${code}) as part
      from authorisation_held h where h.org_id = ${org}) h where whole or part`

/** The division an organisation is in; nothing if none is recorded. */
export const divisionOf = async (tx: Tx, org: string | null): Promise<string[]> => {
  if (org === null) return []
  const [row] = await tx<
    { at: string | null }[]
  >`select administrative_division_sn as at from organisation where id = ${org}`
  return row?.at ? [row.at] : []
}

/**
 * True if one of the upper authorisations that may be passed on covers the whole request: goods, hospital, area and
 * days.
 */
export const isCovered = async (tx: Tx, held: readonly Held[], asked: Authorised): Promise<boolean> =>
  covers(held, asked, await divisionOf(tx, asked.hospital))

/** The same, with the hospital's location known. */
export const covers = (
  held: readonly Held[],
  asked: Omit<Authorised, keyof Goods>,
  place: readonly string[],
): boolean =>
  held.some(
    one =>
      one.whole &&
      one.status === 'enabled' &&
      one.may_pass_on &&
      one.valid_from <= asked.from &&
      (one.valid_to === null || one.valid_to >= asked.to) &&
      (one.hospital_id === null || one.hospital_id === asked.hospital) &&
      (one.hospital_id !== null || isWithin(asked.hospital === null ? asked.areas : place, one.area_codes)),
  )
