import type { ListColumn } from '#server/public/documents.ts'

/** The department of the store that a column of the document names. */
const departmentOf =
  (store: 'd.warehouse_id' | 'd.to_warehouse_id'): ListColumn =>
  tx =>
    tx`
    (select x.name from warehouse w join department x on x.org_id = w.org_id and x.id = w.department_id
      where w.org_id = d.org_id and w.id = ${tx(store)})`

/** The departments whose stores lend and borrow, and how far goods are moved. */
export const transferColumns: Readonly<Record<string, ListColumn>> = {
  lending_department: departmentOf('d.warehouse_id'),
  borrowing_department: departmentOf('d.to_warehouse_id'),
  // Goods change only their location, or their store as well.
  move_kind: tx => tx`(case when d.warehouse_id = d.to_warehouse_id then 'inside'
    when d.to_warehouse_id is not null then 'between' end)`,
}
