import type { AnyDocument } from '#kernel/document.ts'
import type { Purpose } from '#kernel/purpose.ts'
import { states } from '#kernel/state.ts'
import { waitingName } from '#server/engine/documents/levels.ts'
import { ownHeader } from '#server/engine/documents/stored.ts'
import { may, type Session } from '#server/engine/session.ts'

export type ListRow = Readonly<Record<string, unknown>> & { readonly id: string }

/** Whether a purpose counts yuan instead of goods. */
export const countsMoney = (definition: AnyDocument, purpose: Purpose): boolean =>
  definition.measure === 'amount' || purpose === 'pay' || purpose === 'apply'

/** A list row as the wire shows it: own fields unfolded, derived states computed, names of states in Chinese. */
export function present(session: Session, definition: AnyDocument, row: Record<string, unknown>): ListRow {
  const seesPatient = row.role === 'own' && may(session, 'patient')
  const { fields, progress, ...rest } = row as {
    fields: Record<string, unknown>
    progress: Record<string, string> | null
  }
  const derived = Object.fromEntries(
    Object.entries(definition.derives ?? {}).map(([name, purpose]) => {
      const taken = Math.abs(Number(progress?.[purpose] ?? 0))
      const whole = Math.abs(
        Number(
          countsMoney(definition, purpose) ? Number(row.taxed_amount) + Number(row.rounding ?? 0) : row.total_quantity,
        ),
      )
      const begun = Number(progress?.[definition.begins?.[name] ?? ''] ?? 0) > 0
      return [name, taken >= whole && taken > 0 ? '3' : taken > 0 || begun ? '2' : '1']
    }),
  )
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
    ...derived,
    // A mirror is no paper of its own: lists and workbooks say what it is.
    state_name: row.red_of_sn
      ? '红冲单'
      : state === 'submitted' && Number(row.review_levels) > 1
        ? waitingName(Number(row.review_level))
        : (definition.stateNames?.[state] ?? states[state] ?? state),
  } as unknown as ListRow
}
