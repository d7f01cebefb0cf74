import type { AnyDocument } from '#kernel/definition/document.ts'
import type { FieldSpec, Fields } from '#kernel/definition/field.ts'

/**
 * Fields of stores and departments that must all be the person's own; of several such groups one is enough (each side
 * of a loan may write it).
 */
export type Places = readonly (readonly string[])[]

/**
 * The stores and departments in which a document's users act, where these are not all that it has: by action, or by the
 * values of the document. `draft` holds for writing, submitting and cancelling it, `review` for deciding about it.
 */
export type PlacesByAction<D> = Readonly<Record<string, Places | ((doc: D) => Places)>>

type Row = Readonly<Record<string, unknown>>

/** True for a field that holds a store or a department. */
export const isPlace = ({ as, target }: FieldSpec): boolean =>
  as === 'ref' && (target === 'warehouse' || target === 'department')

/** The stores and departments among fields that rows act in: all but those that say why they are only named. */
export const actedFields = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) => (isPlace(field) && field.named === undefined ? [name] : []))

const LIKE_DRAFT = new Set(['add', 'edit', 'del', 'submit', 'unsubmit', 'cancel'])
const LIKE_REVIEW = new Set(['editSubmitted', 'reject', 'unreview', 'redReverse'])
const groupOf = (action: string): string | null =>
  LIKE_DRAFT.has(action) ? 'draft' : LIKE_REVIEW.has(action) ? 'review' : null

/** True where the engine takes the store from the source: goods in transit, goods sold in advance. */
const givenBySource = ({ sourcing }: AnyDocument, doc: Row): boolean =>
  (sourcing.sources ?? []).some(
    take => take.sourceType === doc.source_type && Boolean(take.inTransitOnly || take.stockedUnderSource),
  )

/** The stores and departments that an action on a document acts in. */
export function placesOf(definition: AnyDocument, action: string, doc: Row): Places {
  const { actsIn = {}, header } = definition
  const declared = actsIn[action] ?? actsIn[groupOf(action) ?? '']
  const places = typeof declared === 'function' ? declared(doc) : (declared ?? [actedFields(header)])
  if (!givenBySource(definition, doc)) return places
  return places.map(group => group.filter(name => name !== 'warehouse_model_inner_sn'))
}

/** Faults in what a definition says of the places it acts in, each as a sentence for the engineer. */
export function wrongPlaces({ kind, header, lines, actions, actsIn = {}, posting }: AnyDocument): string[] {
  const places = Object.entries(header).filter(([, field]) => isPlace(field))
  const known = new Set([...Object.keys(actions), ...LIKE_DRAFT, ...LIKE_REVIEW, 'draft', 'review'])
  return [
    ...Object.entries({ ...header, ...lines }).flatMap(([name, field]) => [
      ...(field.named !== undefined && !isPlace(field) ? [`${kind}.${name} is named, and is no place`] : []),
      ...(field.named?.trim() === '' ? [`${kind}.${name} does not say why it is only named`] : []),
    ]),
    ...Object.entries(actsIn).flatMap(([action, at]) => [
      ...(known.has(action) ? [] : [`${kind} acts somewhere by ${action}, which it has not`]),
      ...(typeof at === 'function' ? [] : at)
        .flat()
        .filter(name => !places.some(([own]) => own === name))
        .map(name => `${kind}.${action} acts in ${name}, which is no place of it`),
      ...(typeof at !== 'function' && at.flat().length === 0 ? [`${kind}.${action} acts nowhere`] : []),
    ]),
    ...(posting.stockDirection === 'out' && places.length > 0 && actedFields(header).length === 0
      ? [`${kind} takes goods out of stores and acts in none of them`]
      : []),
  ]
}
