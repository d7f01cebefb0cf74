import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { recountWarnings } from '#modules/goods/warnings/recount.server.ts'
import { inOrganisation } from '#server/database/transaction.ts'

/** The age of the limits in days when the demo begins: they apply to everything that happened since. */
const HELD_DAYS = 60
/** The number of specifications that a demo store keeps between limits. */
const KEPT = 8

/**
 * Stock limits set from what is on hand now: most stocks within them, a few below and above; and the resulting
 * warnings.
 */
export async function setLimits(owner: Sql): Promise<void> {
  await owner`
    insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity,
      limits_since)
    select org_id, warehouse_id, specification_id,
           case place when 1 then ceil(held * 1.2) when 2 then 0 else ceil(held * 0.2) end,
             case place when 1 then ceil(held * 1.5) when 2 then 0 else ceil(held * 0.4) end,
           case place when 2 then floor(held * 0.5) else ceil(held * 2) end,
           posting_now() - make_interval(days => ${HELD_DAYS})
      from (select b.org_id, b.warehouse_id, b.specification_id, sum(b.quantity) as held,
                   row_number() over (partition by b.org_id, b.warehouse_id order by b.specification_id) as place
              from stock_balance b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
             where w.model in ('central', 'ward', 'cabinet') and b.owner_id = b.org_id
             group by 1, 2, 3) kept
     where place <= ${KEPT} and held >= 1
    on conflict do nothing`
  await listForWards(owner)
  await setQuotas(owner)
  await agreePrices(owner)
  await planCounts(owner)
  await scoreSuppliers(owner)
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

/** Scores that hospitals give their suppliers for service, from the beginning of the year. */
const scoreSuppliers = (owner: Sql) => owner`
  insert into supplier_service_score (org_id, supplier_id, valid_from, score, remark, scored_by)
  select distinct on (r.org_id, r.partner_id) r.org_id, r.partner_id, date_trunc('year', ${today()}::date)::date,
         80 + r.partner_id % 4 * 5, '响应及时，随货资料齐全', '设备科'
    from org_relation r join organisation h on h.id = r.org_id and h.system_type = 1
    join organisation s on s.id = r.partner_id and s.system_type in (2, 3)
   where r.status = 'enabled'
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

/**
 * Monthly quotas of the departments that asked most, a little above what they ask for in a month: the first one is
 * nearly used up.
 */
const setQuotas = (owner: Sql) => owner`
  insert into department_quota (org_id, department_id, amount, valid_from, remark)
  select org_id, department_id, ceil(asked * case place when 1 then 1.02 else 1.5 end / 100) * 100,
         date_trunc('year', ${today()}::date)::date, '年度预算按月分解'
    from (select d.org_id, d.department_id, sum(l.base_quantity * h.purchase_price) as asked,
                 row_number() over (
                   partition by d.org_id order by sum(l.base_quantity * h.purchase_price) desc) as place
            from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
            join hospital_product h on h.org_id = d.org_id and h.specification_id = l.specification_id
           where d.kind = 'requisition' and d.role = 'own' and d.department_id is not null
             and d.state in ('submitted', 'reviewed', 'partial', 'completed')
             and d.business_date >= date_trunc('month', ${today()}::date)
           group by 1, 2) used
   where place <= 4 and asked > 0
  on conflict do nothing`

/** Prices of goods won in volume-based procurement: the purchase price, and for a few a little less. */
const agreePrices = (owner: Sql) => owner`
  update hospital_product
     set collective_price = round(purchase_price * case when specification_id % 7 = 0 then 0.97 else 1 end, 2)
   where collective_batch is not null and purchase_price > 0`
