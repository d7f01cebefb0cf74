import type { NamedSource, SourceRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { nameKeyOf } from '#kernel/definition/field.ts'
import { documents } from '#kernel/registry.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/**
 * A document that can be created from another one, and its label there. It takes lines of it by a rule, or names it in
 * its header.
 */
export type FollowUp = { readonly target: AnyDocument; readonly label: string } & (
  | { readonly take: SourceRule }
  | { readonly names: NamedSource }
)

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
    const named = (target.sourcing.named ?? []).filter(
      names => names.from === kind && (names.states ?? takeable).includes(state as never),
    )
    return [
      ...takes.map(take => ({
        target,
        take,
        label: take.createLabel ?? (takes.length > 1 ? `${target.title}：${take.label ?? take.for}` : target.title),
      })),
      ...named.map(names => ({ target, names, label: names.label })),
    ]
  })
}

/** The first values of the form of a document that names another one, with the names of what its references show. */
export const namedValues = (
  { header }: AnyDocument,
  { field, headerMap = {} }: NamedSource,
  of: Row,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ [field]: 'sn', ...headerMap })
      .flatMap(([own, theirs]) => [
        [own, of[theirs]],
        ...(header[own]?.as === 'ref' ? [[nameKeyOf(own), of[nameKeyOf(theirs)]]] : []),
      ])
      .filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== ''),
  )
