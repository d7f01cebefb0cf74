import type { Sql } from 'postgres'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

/** The organisation that runs the network and audits applicants. */
export async function platformId(sql: Sql | Tx): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`select id from organisation where system_type = 0 order by id limit 1`
  return row?.id ?? null
}

/** The newest registration of a phone that is not an organisation yet: its audit state. */
export async function pendingRegistration(
  sql: Sql,
  phone: string,
): Promise<{ audit_state: string; audit_reason: string | null } | null> {
  const platform = await platformId(sql)
  if (platform === null) return null
  const [row] = await inOrganisation(
    sql,
    platform,
    '0',
    tx => tx<{ audit_state: string; audit_reason: string | null }[]>`
    select state as audit_state, reason as audit_reason from registration
     where org_id = ${platform} and registrant_phone = ${phone} and state in ('pending', 'refused') order by id desc
       limit 1`,
  )
  return row ?? null
}
