import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The employee behind a user; null where the account belongs to no employee. */
export async function employeeOf(tx: Tx, session: Session): Promise<string | null> {
  const [row] = await tx<
    { employee_id: string | null }[]
  >`select employee_id from app_user where id = ${session.userId}`
  return row?.employee_id ?? null
}
