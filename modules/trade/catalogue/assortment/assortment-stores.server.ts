import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/** The default warehouse of each specification in the catalogues of hospitals and dealers. */
export const assortmentStoresSql = (tx: Tx): Fragment => tx`
  select h.org_id, h.specification_id, h.default_warehouse_id as warehouse_id from hospital_product h
   where h.default_warehouse_id is not null
  union all
  select e.org_id, e.specification_id, e.default_warehouse_id from dealer_product e
   where e.default_warehouse_id is not null`
