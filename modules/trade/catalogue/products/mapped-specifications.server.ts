import type { Sql } from 'postgres'

/**
 * The tables in which an organisation refers to a size, and the columns under which it may do so only once: its
 * catalogue, the goods of its warehouses, and agreed prices.
 */
const kept = [
  { table: 'hospital_product', once: ['org_id'] },
  { table: 'dealer_product', once: ['org_id'] },
  { table: 'warehouse_product', once: ['org_id', 'warehouse_id'] },
  { table: 'price_agreement', once: ['org_id', 'seller_id', 'buyer_id', 'valid_from'] },
] as const

/**
 * Copies an organisation's settings for a size that was mapped to another to that other, unless it already has settings
 * for it. This is done once: settings that the organisation removes afterwards stay removed. Ledgers and documents do
 * not change: stock of the old size goes out under it.
 */
export async function propagateMappedSpecifications(owner: Sql): Promise<number> {
  let carried = 0
  for (const { table, once } of kept) {
    const same = once.map(column => `o.${column} = d.${column}`).join(' and ')
    const rows = await owner`
      with due as (
        select k.*, z.stands_for_id from ${owner(table)} k join mapped_size z on z.specification_id = k.specification_id
         where not exists (select 1 from carried_size c where c.org_id = k.org_id and c.kept = ${table}
           and c.row_id = k.id and c.specification_id = z.stands_for_id)
      ), noted as (
        insert into carried_size (org_id, kept, row_id, specification_id)
        select d.org_id, ${table}, d.id, d.stands_for_id from due d
      )
      insert into ${owner(table)}
      select (jsonb_populate_record(null::${owner(table)},
        to_jsonb(d) || jsonb_build_object('id', nextval('row_id_seq'), 'specification_id', d.stands_for_id, 'version',
        1))).*
        from due d
       where not exists (select 1 from ${owner(table)} o
         where ${owner.unsafe(same)} and o.specification_id = d.stands_for_id)
      on conflict do nothing returning 1`
    carried += rows.length
  }
  return carried
}
