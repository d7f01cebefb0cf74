import type { AnyDocument, BusinessDocument } from '#kernel/definition/document.ts'
import { refusedByKnown } from '#kernel/rules/partial-guards.ts'
import type { DocumentView } from '#web/editor/document/document-view.ts'

export type Offer = {
  readonly name: string
  readonly label: string
  readonly tone: 'primary' | 'danger' | undefined
  /** Why it cannot be done just now: the same sentence the server would refuse with. */
  readonly because: string | null
  /** Writes ledgers: shown what it will write before it does. */
  readonly rehearses: boolean
}

const SUBMIT = 'submit'

/**
 * What this person may do to the paper as it is written now. A new paper can be submitted once its guards hold. Whoever is not
 * told prices cannot have them judged here: the server judges them.
 */
export function offersFor(
  definition: AnyDocument,
  info: DocumentView | null,
  doc: BusinessDocument,
  knowsPrices: boolean,
): readonly Offer[] {
  const allowed = info === null ? [SUBMIT] : (info.actions ?? [])
  return Object.entries(definition.actions)
    .filter(([name]) => allowed.includes(name))
    .map(([name, spec]) => ({
      name,
      label: spec.label,
      tone: spec.tone, // What the dialog will ask for cannot be missing yet.
      because: knowsPrices ? refusedByKnown(spec.guards ?? [], doc, spec.inputs ?? []) : null,
      rehearses: spec.effect === 'post',
    }))
}
