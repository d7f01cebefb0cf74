import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { His } from '#server/outbound/his/contract.ts'
import { hisConnection } from '#server/registry/connections.ts'
import { settingsFor } from '#server/settings/settings.ts'

/** Which dialect a hospital's HIS speaks. */
export type HisAdapter = 'fhir' | 'json'
/** The address of a hospital's HIS; only the environment knows the token. */
export type HisAddress = { readonly adapter: HisAdapter; readonly baseUrl: string; readonly token: string }

/** How the code of a hospital is written in the names of the environment: H-01 is H_01. */
export const nameInEnvironment = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')

/** The HIS that this installation knows of: by the hospital's code as the environment writes it, or of its only one. */
export type HisAddresses = {
  readonly byOrganisation: ReadonlyMap<string, HisAddress>
  readonly ofOnlyHospital: HisAddress | null
}

/** How a program makes the HIS of an address: with the adapter of its dialect, its reads recorded as attempts. */
export type HisConnection = {
  readonly addresses: HisAddresses
  readonly open: (tx: Tx, org: string, address: HisAddress) => Promise<His>
}

/**
 * The HIS of an organisation; null where it is not connected with one, or the platform switched his_enabled off. An
 * address that names no hospital is that of the only one: where several are, it is nobody's, for patients of one
 * would be asked of another.
 */
export async function connectedHis(tx: Tx, org: string): Promise<His | null> {
  const connection = hisConnection()
  if (connection === null) return null
  const address = await addressOf(tx, org, connection.addresses)
  if (address === null || !(await settingsFor(tx, org)).his_enabled) return null
  return connection.open(tx, org, address)
}

async function addressOf(tx: Tx, org: string, addresses: HisAddresses): Promise<HisAddress | null> {
  const [row] = await tx<{ code: string; system_type: number; is_only: boolean }[]>`
    select o.code, o.system_type, not exists (
        select 1 from organisation other where other.system_type = o.system_type and other.id <> o.id
          and other.kept_by_id is null and other.audit_state = 'passed') as is_only
      from organisation o where o.id = ${org}`
  if (!row || orgTypeOf(row.system_type) !== 'H') return null
  return addresses.byOrganisation.get(nameInEnvironment(row.code)) ?? (row.is_only ? addresses.ofOnlyHospital : null)
}
