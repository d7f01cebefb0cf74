import type { Sql } from 'postgres'
import { registerModules } from '#server/composition.ts'
import { loadCabinets } from '#server/demo/master-cabinets.ts'
import { loadAuthorisations, loadInvitations, loadLocalPartners } from '#server/demo/master-partners.ts'
import { loadGoods } from '#server/demo/master-goods.ts'
import { loadHouses } from '#server/demo/master-houses.ts'
import { loadOrgChanges, loadRegistrations } from '#server/demo/master-registrations.ts'
import { loadSettings } from '#server/demo/master-platform.ts'
import { loadPeople } from '#server/demo/master-people.ts'

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
  return sql.begin(async tx => {
    const houses = await loadHouses(tx)
    const goods = await loadGoods(tx, houses)
    const users = await loadPeople(tx, houses)
    await loadRegistrations(tx, houses)
    await loadOrgChanges(tx, houses)
    await loadLocalPartners(tx, houses)
    await loadAuthorisations(tx, houses, goods.products)
    await loadInvitations(tx, houses)
    await loadSettings(tx, houses)
    await loadCabinets(tx, houses, users)
    return { ...houses, ...goods, users }
  }) as Promise<Masters>
}
