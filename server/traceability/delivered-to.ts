import type { Tx } from '#server/database/transaction.ts'

export type Reached = { readonly lot_id: string; readonly org_id: string }

/**
 * The organisations that got goods of these lots from `org`, directly or through others, by the trace. Goods that went
 * back to their sender are no delivery.
 */
export const deliveredTo = (tx: Tx, org: string, lots: readonly string[]): Promise<Reached[]> =>
  tx<Reached[]>`
    with recursive edge as materialized (
      select distinct e.lot_id, e.from_org_id, e.to_org_id from trace_event e
       where e.lot_id = any(${[...new Set(lots)]}::bigint[]) and e.from_org_id <> e.to_org_id
         and e.step not in ('undo', 'return', 'arrive_reject')
         and not exists (select 1 from trace_event u where u.lot_id = e.lot_id and u.unit_id = e.unit_id
           and u.undo_of = e.seq and u.quantity >= e.quantity)
       union
      -- What is on its way goes to whom the document names. It does not hold what he has of the lot from others: for
      -- him it counts once it arrives.
      select distinct e.lot_id, e.org_id, d.counterparty_id from trace_event e
        join document d on d.org_id = e.org_id and d.sn = e.document_sn and d.kind = e.document_kind and d.role = 'own'
       where e.lot_id = any(${[...new Set(lots)]}::bigint[]) and e.org_id = ${org}
         and e.step in ('ship', 'transfer_out') and d.counterparty_id is not null
         and d.state in ('reviewed', 'partial', 'completed', 'stopped')
         and not exists (select 1 from lot_org h where h.lot_id = e.lot_id and h.org_id = d.counterparty_id)
    ), reach (lot_id, org_id) as (
      select lot_id, to_org_id from edge where from_org_id = ${org}
       union
      select e.lot_id, e.to_org_id from edge e join reach r on r.lot_id = e.lot_id and r.org_id = e.from_org_id
    )
    select lot_id, org_id from reach where org_id <> ${org}` as unknown as Promise<Reached[]>
