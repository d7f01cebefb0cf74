import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { RecordRow } from '#server/records/hooks.ts'
import { mustMayWriteRow } from '#server/records/judgement.ts'
import { mustMayWrite } from '#server/records/may-write.ts'
import { rowsElsewhere } from '#server/records/places.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The actions that put a row out of use and back. */
export const switches: ReadonlySet<string> = new Set(['enable', 'disable'])

const refuses = (ask: () => void): boolean => {
  try {
    ask()
    return false
  } catch {
    return true
  }
}

/** The actions permitted to this caller on each of some rows now, in button order; the flags are checked once. */
export async function rowActions(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  rows: readonly Readonly<RecordRow>[],
): Promise<string[][]> {
  const flagged = actionsOf(definition).filter(action => !refuses(() => mustMayWrite(session, definition, action)))
  const away = await rowsElsewhere(tx, session, definition, rows)
  return rows.map(row =>
    flagged.filter(action => {
      if (away.has(row)) return false
      if (action === 'enable' && row.status === 'enabled') return false
      if (action === 'disable' && row.status !== 'enabled') return false
      return !refuses(() => mustMayWriteRow(session, definition, action, row))
    }),
  )
}

/** Actions that a definition has on a row, besides add. */
export function actionsOf(definition: AnyEntity): string[] {
  if (definition.readOnly) return []
  const own = new Set(hasSwitch(definition) ? switches : [])
  return ['edit', 'del', ...own, ...Object.keys(definition.actions ?? {}).filter(name => !own.has(name))]
}

/** True if rows can be enabled and disabled. */
export function hasSwitch(definition: AnyEntity): boolean {
  const choices = definition.fields.status?.choices ?? {}
  return 'enabled' in choices && 'disabled' in choices
}
