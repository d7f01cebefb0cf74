import type { Fragment } from '#server/public/records.ts'
import { scopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The checks `c` that a person sees: those of the stores and departments of his data. */
export const scopeOfChecks = (tx: Tx, session: Session): Fragment =>
  scopeSql(tx, session, { stores: [tx`c.warehouse_id`], department: tx`c.department_id`, people: [] })
