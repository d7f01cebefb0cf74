import type { Tx } from '#server/database/transaction.ts'

export type Reached = { readonly lot_id: string; readonly org_id: string }

/**
 * The organisations that got goods of these lots from `org`, directly or through others, as the trace says. What went
 * back to where it came from is no delivery, nor is what was sent and not taken: whoever names a receiver would hold
 * his goods. What is on its way counts once it arrives (`followGoods`).
 */
export const deliveredTo = (tx: Tx, org: string, lots: readonly string[]): Promise<Reached[]> =>
  tx<Reached[]>`
    with recursive edge as materialized (
      select distinct e.lot_id, e.from_org_id, e.to_org_id from trace_event e
       where e.lot_id = any(${[...new Set(lots)]}::bigint[]) and e.from_org_id <> e.to_org_id
         and e.step not in ('undo', 'return', 'arrive_reject')
         and not exists (select 1 from trace_event u where u.lot_id = e.lot_id and u.unit_id = e.unit_id
           and u.undo_of = e.seq and u.quantity >= e.quantity)
    ), reach (lot_id, org_id) as (
      select lot_id, to_org_id from edge where from_org_id = ${org}
       union
      select e.lot_id, e.to_org_id from edge e join reach r on r.lot_id = e.lot_id and r.org_id = e.from_org_id
    )
    select lot_id, org_id from reach where org_id <> ${org}` as unknown as Promise<Reached[]>
