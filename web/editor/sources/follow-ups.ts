import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { documents } from '#kernel/registry.ts'

/** A paper that may be begun from another one, and what it is called there. */
export type FollowUp = { readonly target: AnyDocument; readonly take: SourceRule; readonly label: string }

const takeable = ['reviewed', 'partial', 'completed']

/** What may be begun from a paper as it stands, by whoever keeps such papers. Whether anything is left of it, the server says. */
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
