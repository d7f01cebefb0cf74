import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { documents } from '#kernel/registry.ts'

/** A document that can be created from another one, and its label there. */
export type FollowUp = { readonly target: AnyDocument; readonly take: SourceRule; readonly label: string }

const takeable = ['reviewed', 'partial', 'completed']

/**
 * Follow-up documents of a document in its current state, for organisations that keep the kind. Whether anything is
 * left is checked by the server.
 */
export function followUpsOf(kind: string, state: string, org: OrgType): readonly FollowUp[] {
  return documents().flatMap(target => {
    if (target.ownerTypes !== '' && !target.ownerTypes.includes(org)) return []
    const takes = (target.sourcing.sources ?? []).filter(
      take => take.from === kind && !take.fromCounterparty && (take.states ?? takeable).includes(state as never),
    )
    return takes.map(take => ({
      target,
      take,
      label: takes.length > 1 ? `${target.title}：${take.label ?? take.for}` : target.title,
    }))
  })
}
