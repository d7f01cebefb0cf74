import { padGtin } from '#kernel/codes/check-digit.ts'
import { digitalLink, gs1Bracketed, type Gs1Part, UnprintableCode } from '#kernel/codes/encode.ts'
import { type Decimal, plain } from '#kernel/values/decimal.ts'
import { today } from '#kernel/values/date.ts'
import type { Label } from '#kernel/print/label-data.ts'
import type { Fragment } from '#server/records/hooks.ts'
import { maySeeCosts } from '#server/access/sensitive-fields.ts'
import type { Session } from '#server/access/session.ts'
import { type HeldUnit, heldUnits } from '#server/traceability/units-on-hand.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The known data of the goods under a label. */
export type Goods = Pick<
  HeldUnit,
  | 'product_name'
  | 'specification_name'
  | 'unit_name'
  | 'manufacturer_name'
  | 'registration_no'
  | 'charge_code'
  | 'is_high_value'
  | 'is_cold_chain'
> & {
  readonly lot_no?: string | null
  readonly production_date?: string | null
  readonly expiry_date?: string | null
  readonly owner_id?: string | null
  readonly supplier_name?: string | null
  readonly store_name?: string | null
  readonly location?: string | null
  readonly department_name?: string | null
  readonly cost_price?: Decimal | null
  readonly sale_price?: Decimal | null
  /** The unit to which prices refer. */
  readonly price_unit?: string
}

const yymmdd = (day: string): string => day.replaceAll('-', '').slice(2)

/** The content of a GS1 carrier, in label order: product, production, expiry, lot, piece. */
function partsOf(di: string | null, goods: Goods, serial: string | null): Gs1Part[] | null {
  const gtin = di === null ? null : padGtin(di)
  if (gtin === null) return null
  return [
    { ai: '01', value: gtin },
    ...(goods.production_date ? [{ ai: '11', value: yymmdd(goods.production_date) }] : []),
    ...(goods.expiry_date ? [{ ai: '17', value: yymmdd(goods.expiry_date) }] : []),
    ...(goods.lot_no ? [{ ai: '10', value: goods.lot_no }] : []),
    ...(serial ? [{ ai: '21', value: serial }] : []),
  ]
}

/** The trade item number, if it fits into 13 digits. */
function eanOf(di: string | null): string | null {
  const gtin = di === null ? null : padGtin(di)
  return gtin?.startsWith('0') ? gtin.slice(1) : null
}

/** The link with the expiry as its only date: more content would make its dots smaller. */
const linkOf = (parts: readonly Gs1Part[], address: string): string =>
  digitalLink(
    parts.filter(({ ai }) => ai !== '11'),
    address,
  )

/** Null where the goods' data cannot be written as a GS1 code: the label then has the organisation's code. */
function carried(parts: Gs1Part[] | null, write: (parts: Gs1Part[]) => string): string | null {
  if (parts === null) return null
  try {
    return write(parts)
  } catch (thrown) {
    if (thrown instanceof UnprintableCode) return null
    throw thrown
  }
}

/** A price with its unit, to its last decimal place but never less than cents. */
const priceText = (price: Decimal | null | undefined, unit = ''): string | null =>
  price === null || price === undefined
    ? null
    : `${plain(price).replace(/^(\d+)(?:\.(\d*))?$/, (_, whole, part = '') => `${whole}.${part.padEnd(2, '0')}`)}元` +
      `${unit === '' ? '' : `/${unit}`}`

/** The subject of a label: its key among the ticked rows, and its code. */
export type Subject = {
  readonly key: string
  readonly type: Label['type']
  readonly code: string
  readonly di: string | null
  readonly serial?: string
  readonly times?: number
}

/** The caller, the organisation's short name, and the address under which phones reach us. */
export type Asker = Session & { readonly shortName: string; readonly address: string; readonly withPrices: boolean }

/** The content of the label for some goods. */
export function labelOf(session: Asker, subject: Subject, goods: Goods): Label {
  const parts = partsOf(subject.di, goods, subject.serial ?? null)
  const { is_high_value, is_cold_chain, owner_id = null, unit_name, ...shown } = goods
  const isPhysical = subject.type === 'piece' || subject.type === 'lot'
  const isConsigned = owner_id !== null && owner_id !== session.org.id
  return {
    key: subject.key,
    type: subject.type,
    code: subject.code,
    gs1: carried(parts, gs1Bracketed),
    link: carried(parts, list => linkOf(list, session.address)),
    ean: eanOf(subject.di),
    store_name: shown.store_name ?? null,
    location: shown.location ?? null,
    department_name: shown.department_name ?? null,
    org_name: session.shortName,
    product_name: shown.product_name,
    specification_name: shown.specification_name,
    quantity: unit_name === '' ? null : /\d/.test(unit_name) ? unit_name : `1${unit_name}`,
    manufacturer_name: shown.manufacturer_name,
    registration_no: shown.registration_no,
    lot_no: shown.lot_no ?? null,
    production_date: shown.production_date ?? null,
    expiry_date: shown.expiry_date ?? null,
    supplier_name: shown.supplier_name ?? null,
    charge_code: shown.charge_code,
    ...(session.withPrices ? { sale_price: priceText(shown.sale_price, shown.price_unit) } : {}),
    ...(session.withPrices && maySeeCosts(session)
      ? { cost_price: priceText(shown.cost_price, shown.price_unit) }
      : {}),
    ownership: isPhysical ? (isConsigned ? '寄售' : '买断') : null,
    marks: [...(isConsigned ? ['寄'] : []), ...(is_high_value ? ['高'] : []), ...(is_cold_chain ? ['冷'] : [])],
    times: subject.times ?? 0,
    printed_on: today(),
  }
}

/**
 * Average cost of a lot for the organisation that owns it, and its selling price; nothing where no label shows it.
 * Used in a select with the specification as `s`; `lot`: the stock to use.
 */
export const pricesIn = (tx: Tx, asker: Asker, lot: Fragment | null) =>
  asker.withPrices
    ? tx`,
           ${
             lot === null
               ? tx`null::numeric`
               : tx`(select round(sum(x.value) / nullif(sum(x.quantity), 0), 4)
             from stock_balance x where x.org_id = ${asker.org.id} and x.specification_id = s.id and x.lot_id = ${lot}
             and x.owner_id = ${asker.org.id} and x.quantity > 0)`
           } as cost_price,
           coalesce((select y.charge_price from hospital_product y
             where y.org_id = ${asker.org.id} and y.specification_id = s.id),
             (select nullif(z.sale_price, 0) from dealer_product z
             where z.org_id = ${asker.org.id} and z.specification_id = s.id)) as sale_price, s.unit_name as price_unit`
    : tx``

/** The caller of a label request, with the organisation's name. */
export async function askerOf(tx: Tx, session: Session, address: string, withPrices = false): Promise<Asker> {
  const [own] = await tx<{ name: string }[]>`
    select coalesce(nullif(short_name, ''), nullif(alias, ''), name) as name from organisation
      where id = ${session.org.id}`
  return { ...session, shortName: own?.name ?? session.org.name, address, withPrices }
}

/** The serial behind (21), or the whole code where it has none. */
function serialIn(code: string): string {
  const at = code.indexOf('(21)')
  return (at < 0 ? '' : code.slice(at + '(21)'.length)) || code
}

/** Labels of pieces, or of the packs of which they are the first. */
export async function unitLabels(tx: Tx, session: Asker, keys: unknown, asPacks: boolean): Promise<Label[]> {
  return (await heldUnits(tx, session, keys, pricesIn(tx, session, tx`u.lot_id`), asPacks)).map(unit =>
    labelOf(
      session,
      {
        key: unit.unit_sn,
        type: 'piece',
        code: unit.code,
        // The identifier of the product names a piece, not a pack of them.
        di: unit.is_pack ? null : unit.udi_di,
        // A piece coded by its maker has the whole code; its serial follows (21).
        serial: serialIn(unit.code),
        times: unit.times,
      },
      unit,
    ),
  )
}
