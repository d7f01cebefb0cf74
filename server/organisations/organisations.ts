import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import { systemSession, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { Sql } from 'postgres'

/** The engine acting for an organisation. */
export async function systemSessionOf(sql: Sql | Tx, org: string): Promise<Session> {
  const [row] = await (sql as Tx)<{ id: string; code: string; name: string; system_type: number }[]>`
    select id, code, name, system_type from organisation where id = ${org}`
  if (!row) throw new Error(`no organisation ${org}`)
  return systemSession({ id: row.id, code: row.code, name: row.name, type: orgTypeOf(row.system_type) })
}

/** An organisation's name on a day: a document of that day shows the name of that time. */
export async function nameOn(tx: Tx, org: string, day: string): Promise<string | null> {
  const [row] = await tx<{ name: string }[]>`
    select coalesce((select p.name from organisation_past p where p.organisation_id = o.id and p.until_day > ${day}
      order by p.until_day, p.id limit 1), o.name) as name
      from organisation o where o.id = ${org}`
  return row?.name ?? null
}
