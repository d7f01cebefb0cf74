import { orgTypeOf } from '#kernel/organisation.ts'
import { systemSession, type Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'
import type { Sql } from 'postgres'

/** The engine acting for an organisation. */
export async function sessionOf(sql: Sql | Tx, org: string): Promise<Session> {
  const [row] = await (sql as Tx)<{ id: string; code: string; name: string; system_type: number }[]>`
    select id, code, name, system_type from organisation where id = ${org}`
  if (!row) throw new Error(`no organisation ${org}`)
  return systemSession({ id: row.id, code: row.code, name: row.name, type: orgTypeOf(row.system_type) })
}
