import type { Fragment } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Specifications in the caller's catalogue: those that a hospital uses, or that a dealer or manufacturer trades. */
export const catalogueOf = (tx: Tx, session: Session): Fragment =>
  session.org.type === 'H'
    ? tx`select c.specification_id from hospital_product c where c.org_id = ${session.org.id}`
    : tx`select c.specification_id from dealer_product c where c.org_id = ${session.org.id}`

/**
 * True if a released product, read as `p`, is offered to the caller: to all, to its kind of organisation, or to
 * those named.
 */
export const offeredTo = (tx: Tx, session: Session): Fragment =>
  tx`((p.offered_types is null or position(${session.org.type}::text in p.offered_types) > 0)
    and (p.offered_to is null or ${session.org.id}::bigint = any(p.offered_to)))`

/**
 * Products the caller sees, as a condition over the column that holds the product's id: the platform all, a
 * manufacturer its own, a dealer or hospital those of its catalogue and those it created. `wide` adds everything
 * released.
 */
export function productsSeen(tx: Tx, session: Session, column: Fragment, wide: boolean): Fragment {
  if (session.org.type === 'P') return tx`true`
  const released = wide
    ? tx`or exists (select 1 from product p where p.id = ${column} and p.status = 'released'
      and ${offeredTo(tx, session)})`
    : tx``
  if (session.org.type === 'V') {
    return tx`(exists (select 1 from product p
      where p.id = ${column} and (p.manufacturer_id = ${session.org.id}
      or p.built_by_id = ${session.org.id})) ${released})`
  }
  return tx`(${column} in (select s.product_id from specification s where s.id in (${catalogueOf(tx, session)}))
    or exists (select 1 from product p where p.id = ${column} and p.built_by_id = ${session.org.id}) ${released})`
}
