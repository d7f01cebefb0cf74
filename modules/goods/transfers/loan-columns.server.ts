import type { ListColumn } from '#server/public/documents.ts'

/** The department of the store that a column of the document names. */
const departmentOf =
  (store: 'd.warehouse_id' | 'd.to_warehouse_id'): ListColumn =>
  tx =>
    tx`
    (select x.name from warehouse w join department x on x.org_id = w.org_id and x.id = w.department_id
      where w.org_id = d.org_id and w.id = ${tx(store)})`

/** The departments whose stores lend and borrow. */
export const loanColumns: Readonly<Record<string, ListColumn>> = {
  lending_department: departmentOf('d.warehouse_id'),
  borrowing_department: departmentOf('d.to_warehouse_id'),
}
