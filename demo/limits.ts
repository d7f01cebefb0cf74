import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { recountWarnings } from '#modules/warnings/recount.server.ts'
import { inOrganisation } from '#server/database/transaction.ts'

/** How many specifications a demo store keeps between limits. */
const KEPT = 8

/**
 * Stock limits set from what is on hand now: most stocks within them, a few below and above; and the resulting
 * warnings.
 */
export async function setLimits(owner: Sql): Promise<void> {
  await owner`
    insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity)
    select org_id, warehouse_id, specification_id,
           case place when 1 then ceil(held * 1.2) when 2 then 0 else ceil(held * 0.2) end,
             case place when 1 then ceil(held * 1.5) when 2 then 0 else ceil(held * 0.4) end,
           case place when 2 then floor(held * 0.5) else ceil(held * 2) end
      from (select b.org_id, b.warehouse_id, b.specification_id, sum(b.quantity) as held,
                   row_number() over (partition by b.org_id, b.warehouse_id order by b.specification_id) as place
              from stock_balance b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
             where w.model in ('central', 'ward', 'cabinet') and b.owner_id = b.org_id
             group by 1, 2, 3) kept
     where place <= ${KEPT} and held >= 1
    on conflict do nothing`
  await listForWards(owner)
  await planCounts(owner)
  const organisations = await owner<{ id: string }[]>`select id from organisation where system_type > 0`
  for (const { id } of organisations) await inOrganisation(owner, id, '0', tx => recountWarnings(tx, id))
}

/** Wards may ask for all admitted high-value goods, whatever else the lists of their stores keep. */
const listForWards = (owner: Sql) => owner`
  insert into warehouse_product (org_id, warehouse_id, specification_id)
  select h.org_id, w.id, h.specification_id
    from hospital_product h join specification s on s.id = h.specification_id join product p on p.id = s.product_id
    join warehouse w on w.org_id = h.org_id and w.model = 'ward' and w.status = 'enabled'
   where h.status = 'enabled' and h.admission_state = 'admitted' and p.is_high_value
     and exists (select 1 from warehouse_product k where k.org_id = w.org_id and k.warehouse_id = w.id)
  on conflict do nothing`

/** Each organisation counts its main store by plan. */
const planCounts = (owner: Sql) => owner`
  insert into count_plan (org_id, name, warehouse_id, last_on)
  select distinct on (w.org_id) w.org_id, w.name || '循环盘', w.id, ${today()}::date
    from warehouse w
   where w.model = 'central' and w.status = 'enabled'
     and exists (select 1 from stock_balance b where b.org_id = w.org_id and b.warehouse_id = w.id)
   order by w.org_id, w.id
  on conflict do nothing`
