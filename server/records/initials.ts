import type { ISql } from 'postgres'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { columnOf } from '#kernel/definition/field.ts'
import { entities } from '#kernel/registry.ts'
import { pinyinInitials } from '#server/reference/pinyin.ts'
import type { RecordRow } from '#server/records/hooks.ts'

/** The column of initials; a definition that searches it has it in its table. */
export const INITIALS = 'pinyin'
const hasInitials = (definition: AnyEntity): boolean => definition.search?.includes(INITIALS) === true

/** The column written beside a row, so that pickers find it by the initials of its name. */
export const initialsOf = (definition: AnyEntity, after: RecordRow): Readonly<Record<string, string>> =>
  hasInitials(definition) ? { [INITIALS]: pinyinInitials(String(after[definition.display] ?? '')) } : {}

const AT_ONCE = 500

/** Fills the initials of rows that are older than the column, and of rows that no person wrote. */
export async function fillInitials(owner: ISql): Promise<void> {
  for (const definition of entities().filter(hasInitials)) {
    const [table, display] = [definition.table, columnOf(definition.display, definition.fields[definition.display]!)]
    for (;;) {
      const rows = await owner<{ id: string; name: string | null }[]>`
        select id, ${owner(display)} as name from ${owner(table)} where ${owner(INITIALS)} is null limit ${AT_ONCE}`
      if (rows.length === 0) break
      await owner`
        update ${owner(table)} t set ${owner(INITIALS)} = n.initials
          from unnest(${rows.map(row => row.id)}::bigint[],
            ${rows.map(row => pinyinInitials(row.name ?? ''))}::text[]) n(id, initials)
         where t.id = n.id and t.${owner(INITIALS)} is null`
    }
  }
}
