import type { AnyDocument } from '#kernel/definition/document.ts'
import { headerField } from '#kernel/definition/common-fields.ts'
import { absentSums } from '#kernel/definition/line-content.ts'
import { states } from '#kernel/definition/document-state.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { without } from '#kernel/values/without.ts'
import { pendingLevelName } from '#server/documents/approval/levels.ts'
import { customHeaderFields } from '#server/documents/repository/document.ts'
import { isRestricted } from '#server/access/data-scope.ts'
import { may, type Session } from '#server/access/session.ts'

export type ListRow = Readonly<Record<string, unknown>> & { readonly id: string }

/** The state of a document in the words of its own field, where the kind has such a field. */
function closerState({ header, lifecycle }: AnyDocument, own: Readonly<Record<string, unknown>>): string | undefined {
  const name = lifecycle.stateField
  return name === undefined ? undefined : header[name]?.choices?.[String(own[name])]
}

/** A list row as the wire shows it: own fields unfolded, names of states in Chinese. */
export function presentRow(session: Session, definition: AnyDocument, row: Record<string, unknown>): ListRow {
  const seesPatient = row.role === 'own' && may(session, 'patient')
  const { fields, ...rest } = row as { fields: Record<string, unknown> }
  const own = Object.fromEntries(
    Object.entries(customHeaderFields(definition)).map(([name, field]) => [
      name,
      field.patient && !seesPatient ? null : (fields[name] ?? null),
    ]),
  )
  const isWithheld = (name: string) => isRestricted(session) && headerField(definition, name)?.wholeOnly === true
  const withheld = Object.fromEntries(Object.keys(rest).flatMap(name => (isWithheld(name) ? [[name, null]] : [])))
  const state = String(row.state) as keyof typeof states
  return {
    ...own,
    ...without(rest, absentSums(definition)),
    ...withheld,
    // A reversal is not a document of its own: lists and workbooks mark it as one.
    state_name: row.red_of_sn
      ? '红冲单'
      : state === 'submitted' && parseInteger(row.review_levels) > 1
        ? pendingLevelName(parseInteger(row.review_level))
        : (closerState(definition, own) ?? definition.lifecycle.stateLabels?.[state] ?? states[state] ?? state),
  } as unknown as ListRow
}
