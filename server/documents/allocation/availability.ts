import type { AvailableBalance } from '#server/documents/allocation/fefo.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * Balances of one store that may be named: on hand less what other documents reserved; including stock of
 * specifications mapped to the requested ones.
 */
export async function availableStock(
  tx: Tx,
  org: string,
  warehouse: string,
  specifications: readonly string[],
  except: string | null = null,
): Promise<AvailableBalance[]> {
  if (specifications.length === 0) return []
  const wanted = [...new Set(specifications)]
  return tx<AvailableBalance[]>`
    select b.warehouse_id, b.location, b.specification_id, b.lot_id, t.lot_no, b.owner_id, b.quality_state,
      s.production_date, s.expiry_date,
           (lot_is_recalled(${org}, b.lot_id) or lot_is_frozen(${org}, b.lot_id)) as is_held,
           b.location <> '' and exists (select 1 from container_place c
             where c.org_id = b.org_id and c.code = b.location) as is_contained,
           coalesce((select z.mapped_to_id from specification z where z.id = b.specification_id),
             b.specification_id) as stands_for,
           (b.quantity - coalesce((
             select sum(r.quantity) from reservation r
              where r.org_id = ${org} and r.warehouse_id = b.warehouse_id and r.specification_id = b.specification_id
                and r.lot_id = b.lot_id
                and r.location = b.location and r.owner_id = b.owner_id and r.quality_state = b.quality_state
                and r.document_id is distinct from ${except}::bigint), 0))::numeric(18,3) as available
      from stock_balance b
      join lot t on t.id = b.lot_id
      left join stock_lot s on s.org_id = ${org} and s.lot_id = b.lot_id
     where b.org_id = ${org} and b.warehouse_id = ${warehouse}
       and b.specification_id = any(${wanted}::bigint[] || array(select z.id from specification z
       where z.mapped_to_id = any(${wanted}::bigint[]) and z.id <> all(${wanted}::bigint[])))
     order by s.expiry_date nulls last, b.lot_id`
}
