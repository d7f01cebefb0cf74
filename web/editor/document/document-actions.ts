import type { AnyDocument, BusinessDocument } from '#kernel/definition/document.ts'
import { refusedByKnown } from '#kernel/rules/partial-guards.ts'
import type { DocumentView } from '#web/editor/document/document-view.ts'

export type Offer = {
  readonly name: string
  readonly label: string
  readonly tone: 'primary' | 'danger' | undefined
  /** The reason why the action is not possible now: the same sentence with which the server would refuse. */
  readonly because: string | null
  /** Posts to ledgers: a preview is shown first. */
  readonly previews: boolean
}

const SUBMIT = 'submit'

/**
 * The actions that this user may take on the document as edited now. A new document can be submitted once its guards
 * pass. Without price permission prices cannot be checked here, so the server checks them.
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
      tone: spec.tone, // What the dialog will ask for is not yet missing.
      because: knowsPrices ? refusedByKnown(spec.guards ?? [], doc, spec.inputs ?? []) : null,
      previews: spec.effect === 'post',
    }))
}
