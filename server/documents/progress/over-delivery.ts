import { derived, documents } from '#kernel/registry.ts'

const orders = derived(() =>
  documents()
    .filter(definition => definition.sourcing.isOrder)
    .map(definition => definition.kind),
)

/** Kinds and purposes, as `kind.purpose`, for which an organisation may permit excess. */
export const overDeliveryAllowed = derived(
  (): ReadonlySet<string> =>
    new Set(
      documents().flatMap(({ sourcing: { sources: takes } }) =>
        (takes ?? []).flatMap(take => [
          ...(take.withTolerance ? [`${take.from}.${take.purpose}`] : []),
          ...(take.rollup ?? []).flatMap(step =>
            step.withTolerance ? orders().map(kind => `${kind}.${step.purpose}`) : [],
          ),
        ]),
      ),
    ),
)
