import type { AnyDocument } from '#kernel/document.ts'
import { states } from '#kernel/state.ts'
import { parseInteger } from '#kernel/integer.ts'
import { waitingName } from '#server/engine/documents/levels.ts'
import { ownHeader } from '#server/engine/documents/stored.ts'
import { may, type Session } from '#server/engine/session.ts'

export type ListRow = Readonly<Record<string, unknown>> & { readonly id: string }

/** A list row as the wire shows it: own fields unfolded, names of states in Chinese. */
export function present(session: Session, definition: AnyDocument, row: Record<string, unknown>): ListRow {
  const seesPatient = row.role === 'own' && may(session, 'patient')
  const { fields, ...rest } = row as { fields: Record<string, unknown> }
  const own = Object.fromEntries(
    Object.entries(ownHeader(definition)).map(([name, field]) => [
      name,
      field.patient && !seesPatient ? null : (fields[name] ?? null),
    ]),
  )
  const state = String(row.state) as keyof typeof states
  return {
    ...own,
    ...rest,
    // A mirror is no paper of its own: lists and workbooks say what it is.
    state_name: row.red_of_sn
      ? '红冲单'
      : state === 'submitted' && parseInteger(row.review_levels) > 1
        ? waitingName(parseInteger(row.review_level))
        : (definition.stateNames?.[state] ?? states[state] ?? state),
  } as unknown as ListRow
}
