import { type Fact, facts, type Feeding } from '#kernel/measure/facts.ts'
import { derived, documentOf, documents } from '#kernel/registry.ts'

/** The documents that feed each fact, from their definitions. */
const feedings = derived((): ReadonlyMap<string, readonly Feeding[]> => {
  const all = documents().flatMap(({ kind, facts: own = {}, copyFacts: copy = {} }) =>
    (
      [
        ['own', own],
        ['counterparty', copy],
      ] as const
    ).flatMap(([role, said]) => Object.entries(said).map(([fact, sign]) => ({ fact, kind, role, sign }))),
  )
  return Map.groupBy(all, ({ fact }) => fact)
})

/** The documents that feed any of these facts; a name that is no fact, or is fed by nobody, is an error. */
export const feeding = (names: readonly string[]): readonly Feeding[] =>
  names.flatMap(name => {
    if (!Object.hasOwn(facts, name)) throw new Error(`${name} is no fact`)
    const fed = feedings().get(name)
    if (fed === undefined) throw new Error(`no document feeds the fact ${name}`)
    return fed
  })

const ownKinds = (names: readonly Fact[], of?: Feeding['sign']): string[] => [
  ...new Set(
    feeding(names).flatMap(({ kind, role, sign }) =>
      role === 'own' && (of === undefined || of === sign) ? [kind] : [],
    ),
  ),
]

/** The kinds of own documents that are any of these facts, for statements: `d.kind = any(${kindsOf('used')})`. */
export const kindsOf = (...names: readonly Fact[]): string[] => ownKinds(names)

/** The kinds of documents that add to any of these facts. */
export const kindsAdding = (...names: readonly Fact[]): string[] => ownKinds(names, 1)

/** The kinds of documents that take back from any of these facts. */
export const kindsTakingBack = (...names: readonly Fact[]): string[] => ownKinds(names, -1)

/** The kinds that documents of a kind are made from for this purpose. */
export const sourceKindsOf = (kind: string, purpose: string): string[] => [
  ...new Set(documentOf(kind)!.sourcing!.sources!.flatMap(source => (source.purpose === purpose ? [source.from] : []))),
]
