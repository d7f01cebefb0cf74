import type { AnyDocument } from '#kernel/definition/document.ts'
import type { State } from '#kernel/definition/document-state.ts'
import type { HistoryEntry } from '#web/editor/document/document-view.ts'

export type Step = {
  readonly state: State
  readonly reached: 'done' | 'now' | 'later'
  readonly by: string
  readonly at: string
}

/** A kind without review has no step for it; what its actions complete ends as completed. */
function wayOf({ actions, progress }: AnyDocument): State[] {
  const all = Object.values(actions)
  const isReviewed = all.some(({ to }) => to === 'submitted')
  const isCompleted =
    progress.main !== undefined ||
    all.some(({ to, reaches }) => reaches?.includes('completed') || (!isReviewed && to === 'completed'))
  return [
    'draft',
    ...(isReviewed ? (['submitted'] as const) : []),
    'reviewed',
    ...(isCompleted ? (['completed'] as const) : []),
  ]
}

/** The main path through a document's states; in a side state (rejected, cancelled) the path ends there. */
export function pathOf(definition: AnyDocument, state: State, history: readonly HistoryEntry[]): readonly Step[] {
  const way = wayOf(definition)
  const aside = !way.includes(state) && state !== 'partial'
  const standing: State = state === 'partial' ? 'reviewed' : state
  const at = way.indexOf(standing)
  return way.map((step, index) => {
    const entry = history.findLast(each =>
      step === 'draft' ? each.action === 'add' || !each.from_state : each.to_state === step,
    )
    const reached = aside
      ? entry
        ? 'done'
        : 'later'
      : index < at || (index === at && index === way.length - 1)
        ? 'done'
        : index === at
          ? 'now'
          : 'later'
    return {
      state: step,
      reached,
      by: reached === 'later' ? '' : (entry?.actor_name ?? ''),
      at: reached === 'later' ? '' : (entry?.at ?? ''),
    }
  })
}
