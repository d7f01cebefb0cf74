import { columnOf } from '#kernel/definition/field.ts'
import { entityOf } from '#kernel/registry.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Keys of records by kind. */
export type KeysByKind = ReadonlyMap<string, ReadonlySet<string>>
/** The readable name of a record; null if it is gone, or never was. */
export type DisplayNames = (kind: string, key: string) => string | null

/** The readable names of records: one statement a kind. */
export async function displayNames(tx: Tx, session: Session, wanted: KeysByKind): Promise<DisplayNames> {
  const known = new Map<string, ReadonlyMap<string, string>>()
  for (const [kind, keys] of wanted) {
    const definition = entityOf(kind)
    const ids = [...keys].filter(key => /^\d{1,18}$/.test(key))
    if (definition === undefined || ids.length === 0) continue
    const own = definition.scope === 'organisation' ? tx`t.org_id = ${session.org.id} and` : tx``
    const field = definition.fields[definition.display]
    const display = field === undefined ? definition.display : columnOf(definition.display, field)
    const rows = await tx<{ id: string; name: string | null }[]>`
      select t.id::text as id, t.${tx(display)}::text as name from ${tx(definition.table)} t
       where ${own} t.id = any(${ids}::bigint[])`
    known.set(kind, new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name]]))))
  }
  return (kind, key) => known.get(kind)?.get(key) ?? null
}
