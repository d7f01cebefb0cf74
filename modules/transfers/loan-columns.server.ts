import type { ListColumn } from '#server/public/documents.ts'

/** Whose stores lend and borrow. */
export const loanColumns: Readonly<Record<string, ListColumn>> = {
  lending_department: tx => tx`
    (select x.name from warehouse w join department x on x.org_id = w.org_id and x.id = w.department_id
      where w.org_id = d.org_id and w.id = d.warehouse_id)`,
  borrowing_department: tx => tx`
    (select x.name from warehouse w join department x on x.org_id = w.org_id and x.id = w.department_id
      where w.org_id = d.org_id and w.id = d.to_warehouse_id)`,
}
