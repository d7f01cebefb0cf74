import type { Fragment } from '#server/public/records.ts'
import { scopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The checks `c` that the user may see: those of the stores and departments in the user's data scope. */
export const scopeOfChecks = (tx: Tx, session: Session): Fragment =>
  scopeSql(tx, session, { stores: [tx`c.warehouse_id`], department: tx`c.department_id`, people: [] })
