import type { AnyDocument } from '#kernel/definition/document.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import type { State } from '#kernel/definition/document-state.ts'

export type Registry = {
  readonly documents: readonly AnyDocument[]
  readonly entities: readonly AnyEntity[]
  readonly reports: readonly AnyReport[]
  /** Screens that show no definition. */
  readonly tools?: readonly Screen[]
}

/**
 * States in which documents of a kind are created: by hand, by another organisation's document, or from a document
 * of the same organisation.
 */
export function bornIn(registry: Pick<Registry, 'documents'>, definition: AnyDocument): State[] {
  const created = registry.documents.flatMap(other => [
    ...(other.intercompany.copies ?? []).flatMap(send =>
      send.creates?.kind === definition.kind || send.creates?.alternative?.kind === definition.kind
        ? [send.creates.state]
        : [],
    ),
    ...(other.sourcing.followUps ?? []).flatMap(make => (make.kind === definition.kind ? [make.state] : [])),
  ])
  return ['draft', ...created]
}

/** States that a document can reach: by its actions, by execution, by reversal. */
export function reachableStates(registry: Pick<Registry, 'documents'>, definition: AnyDocument): Set<State> {
  const found = new Set<State>([...bornIn(registry, definition), ...(definition.lifecycle.givenStates ?? [])])
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const action of Object.values(definition.actions)) {
      if (!action.from.some(state => found.has(state))) continue
      if (action.to) found.add(action.to)
      for (const state of action.reaches ?? []) found.add(state)
      if (action.effect === 'reverse') found.add('reversed')
    }
    // A correction of something that two organisations booked waits for the other one's confirmation.
    if (definition.lineRules.correctedValues && found.has('reviewed')) found.add('partial')
    if (definition.progress.main && found.has('reviewed')) found.add('partial').add('completed')
  }
  return found
}
