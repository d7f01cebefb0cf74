import type { Sql } from 'postgres'

/** Where a house says something of a size, once for each: its catalogue, what its stores may hold, and agreed prices. */
const kept = [
  { table: 'hospital_product', once: ['org_id'] },
  { table: 'dealer_product', once: ['org_id'] },
  { table: 'warehouse_product', once: ['org_id', 'warehouse_id'] },
  { table: 'price_agreement', once: ['org_id', 'seller_id', 'buyer_id', 'valid_from'] },
] as const

/**
 * What a house said of a size that was mapped to another it says of that other from then on, unless it said something of it already.
 * Ledgers and papers stay as they are: what lies under the old size goes out under it, asked for by the new one.
 */
export async function carryMapped(owner: Sql): Promise<number> {
  let carried = 0
  for (const { table, once } of kept) {
    const same = once.map(column => `o.${column} = k.${column}`).join(' and ')
    const rows = await owner`
      insert into ${owner(table)}
      select (jsonb_populate_record(null::${owner(table)}, to_jsonb(k) || jsonb_build_object('id', nextval('row_id_seq'), 'specification_id', s.mapped_to_id, 'version', 1))).*
        from specification s join ${owner(table)} k on k.specification_id = s.id
       where s.mapped_to_id is not null and not exists (select 1 from ${owner(table)} o where ${owner.unsafe(same)} and o.specification_id = s.mapped_to_id)
      on conflict do nothing returning 1`
    carried += rows.length
  }
  return carried
}
