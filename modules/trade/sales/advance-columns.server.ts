import type { ListColumn } from '#server/public/documents.ts'

/** Columns of advance sales that are read from other documents. */
export const advanceColumns: Readonly<Record<string, ListColumn>> = {
  // Stock on hand under its number, at cost.
  lying_cost: tx => tx`
    (select coalesce(sum(b.value), 0)::numeric(18,2) from stock_balance b
      where b.org_id = d.org_id and b.warehouse_id = d.to_warehouse_id and b.location = d.sn)`,
}
