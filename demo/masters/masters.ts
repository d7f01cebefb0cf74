import type { Sql } from 'postgres'
import { registerModules } from '#app/composition.ts'
import { fillInitials } from '#server/records/initials.ts'
import { hooks } from '#server/registry/hooks.ts'
import { loadCabinets } from '#demo/masters/cabinets.ts'
import { loadAuthorisations, loadInvitations, loadLocalPartners } from '#demo/masters/partners.ts'
import { loadGoods } from '#demo/masters/items.ts'
import { loadTenants } from '#demo/masters/organisations.ts'
import { loadOrgChanges, loadRegistrations } from '#demo/masters/registrations.ts'
import { loadSettings } from '#demo/masters/platform.ts'
import { loadPeople } from '#demo/masters/people.ts'

/** Ids of the loaded rows by the codes of the demo tables: `H01`, `H01-W01`, `P001-01`. */
export type Masters = {
  readonly organisations: ReadonlyMap<string, string>
  readonly departments: ReadonlyMap<string, string>
  readonly employees: ReadonlyMap<string, string>
  readonly warehouses: ReadonlyMap<string, string>
  readonly products: ReadonlyMap<string, string>
  readonly specifications: ReadonlyMap<string, string>
  /** Demo accounts by login name. */
  readonly users: ReadonlyMap<string, string>
}

/** Fills an empty database with the demo's organisations, people, stores and goods, as the owner of the tables. */
export async function seedMasters(sql: Sql): Promise<Masters> {
  registerModules()
  for (const seed of hooks().startupSeeds) await seed(sql)
  return sql.begin(async tx => {
    const organisations = await loadTenants(tx)
    const goods = await loadGoods(tx, organisations)
    const users = await loadPeople(tx, organisations)
    await loadRegistrations(tx, organisations)
    await loadOrgChanges(tx, organisations)
    await loadLocalPartners(tx, organisations)
    await loadAuthorisations(tx, organisations, goods.products)
    await loadInvitations(tx, organisations)
    await loadSettings(tx, organisations)
    await loadCabinets(tx, organisations, users)
    await fillInitials(tx)
    return { ...organisations, ...goods, users }
  }) as Promise<Masters>
}
