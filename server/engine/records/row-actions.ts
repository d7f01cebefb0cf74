import type { AnyEntity } from '#kernel/entity.ts'
import { type RecordRow, rulesOf } from '#server/engine/records/rules.ts'
import { mustMayWrite } from '#server/engine/records/write.ts'
import type { Session } from '#server/engine/session.ts'

/** What this caller may do to this row now, in the order of the buttons. */
export function rowActions(session: Session, definition: AnyEntity, row: Readonly<RecordRow>): string[] {
  return actionsOf(definition).filter(action => {
    if (action === 'enable' && row.status === 'enabled') return false
    if (action === 'disable' && row.status !== 'enabled') return false
    try {
      mustMayWrite(session, definition, action)
      rulesOf(definition.kind).mayWrite?.(session, action, row)
      return true
    } catch {
      return false
    }
  })
}

/** Actions that a definition has on a row, besides add. */
export function actionsOf(definition: AnyEntity): string[] {
  if (definition.readOnly) return []
  const switches = hasSwitch(definition) ? ['enable', 'disable'] : []
  return ['edit', 'del', ...switches, ...Object.keys(definition.actions ?? {}).filter(name => !switches.includes(name))]
}

/** Whether rows are switched on and off. */
export function hasSwitch(definition: AnyEntity): boolean {
  const choices = definition.fields.status?.choices ?? {}
  return 'enabled' in choices && 'disabled' in choices
}
