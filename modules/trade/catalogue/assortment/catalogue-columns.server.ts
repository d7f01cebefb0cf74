import { parseInteger } from '#kernel/values/integer.ts'
import { configValue } from '#server/public/settings.ts'
import type { Change, Fragment } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The columns of a catalogue row that come from its specification's product. */
export function catalogueColumns(tx: Tx): Record<string, Fragment> {
  const product = (column: string) =>
    tx`(select ${tx(`p.${column}`)} from product p where p.id = ${tx('to_specification_sn.product_id')})`
  const certificate = (column: string) =>
    tx`(select ${tx(`c.${column}`)} from registration_certificate c
      where c.id = ${tx('to_specification_sn.registration_certificate_id')})`
  return {
    product_sn: tx`${tx('to_specification_sn.product_id')}`,
    product_name: product('name'),
    device_class: product('device_class'),
    is_high_value: product('is_high_value'),
    manufacturer_name: tx`(select o.name from product p join organisation o on o.id = p.manufacturer_id
      where p.id = ${tx('to_specification_sn.product_id')})`,
    registration_no: certificate('certificate_no'),
    registration_expiry: certificate('valid_to'),
  }
}

/** True if the organisation holds any of a specification, in transit or in stock. */
export async function hasStock(tx: Tx, session: Session, specification: string): Promise<boolean> {
  const [row] = await tx`
    select 1 from stock_balance b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
     where b.org_id = ${session.org.id} and w.org_id = ${session.org.id} and b.specification_id = ${specification}
       and b.quantity > 0 and w.model <> 'consumed' limit 1`
  return row !== undefined
}

/** The platform's defaults for this organisation apply where a new product specifies nothing. */
export async function fillDefaults(tx: Tx, session: Session, { after, sent }: Change): Promise<void> {
  if (sent.tax_rate === undefined)
    after.tax_rate = parseInteger(await configValue(tx, session.org.id, 'default_tax_rate'))
  if (sent.is_unit_coded === undefined && (await configValue(tx, session.org.id, 'unit_coded')) === true)
    after.is_unit_coded = true
}

/** The category in one of the caller's own trees to which the row's specification is assigned. */
export const typeOf = (tx: Tx, session: Session, tree: string): Fragment => tx`
  (select c.name from typed_product k join custom_type c on c.org_id = k.org_id and c.id = k.custom_type_id
    where k.org_id = ${session.org.id} and k.tree = ${tree} and k.specification_id = t.specification_id
      and k.valid_to is null)`

/**
 * True if another organisation adopted the product: its own documents, which others cannot read, may use the
 * product's units.
 */
export async function isTakenIn(tx: Tx, session: Session, specification: string): Promise<boolean> {
  const [taken] = await tx`
    select 1 from specification s join product_pick k on k.product_id = s.product_id
      where s.id = ${specification} and k.picker_id <> ${session.org.id} limit 1`
  return taken !== undefined
}

/**
 * The stock of a row's goods, with the sizes that were mapped to it, wherever the organisation keeps them, and whether
 * it is within the limits of the row. A limit that is not set does not apply.
 */
export function stockColumns(tx: Tx, session: Session): Record<'stock' | 'stock_state', Fragment> {
  const held = tx`(select coalesce(sum(b.quantity), 0) from stock_balance b
    join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id and w.model not in ('transit', 'consumed')
    where b.org_id = ${session.org.id}
      and b.specification_id = any((select same_sizes(t.specification_id))::bigint[]))`
  return {
    stock: tx`${held}::numeric(18,3)`,
    stock_state: tx`case when ${held} = 0 then 'none' when is_low(${held}, t.minimum) then 'low'
      when ${held} > t.maximum then 'high' else 'normal' end`,
  }
}
