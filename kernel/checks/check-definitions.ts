import { booksAccounts } from '#kernel/checks/books-accounts.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { wrongPlaces } from '#kernel/rules/places.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { Fields } from '#kernel/definition/field.ts'
import { reachableStates, type Registry } from '#kernel/checks/reachable-states.ts'
import { inTabOrder, isPrintRoute, type Screen, screenKey } from '#kernel/definition/screen.ts'

const repeated = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, at) => values.indexOf(value) !== at)),
]

function wrongReferences(registry: Registry, kind: string, fields: Fields): string[] {
  const known = new Set([...registry.documents, ...registry.entities].map(definition => definition.kind))
  return Object.entries(fields).flatMap(([name, field]) =>
    field.as === 'ref' && !known.has(field.target ?? '')
      ? [`${kind}.${name} refers to ${field.target ?? 'nothing'}, which is not registered`]
      : [],
  )
}

function wrongDocument(registry: Registry, definition: AnyDocument): string[] {
  const { kind } = definition
  const kinds = new Map(registry.documents.map(other => [other.kind, other]))
  const states = reachableStates(registry, definition)
  return [
    ...Object.entries(definition.actions).flatMap(([name, action]) =>
      action.from.some(state => states.has(state)) ? [] : [`${kind}.${name} starts in states that are never reached`],
    ),
    ...(definition.sourcing.sources ?? []).flatMap(take =>
      kinds.has(take.from) ? [] : [`${kind} is made from ${take.from}, which is not registered`],
    ),
    ...(definition.sourcing.named ?? []).flatMap(({ from, field, headerMap = {} }) =>
      kinds.has(from) && [field, ...Object.keys(headerMap)].every(name => name in definition.header)
        ? []
        : [`${kind} names ${from}, which is not registered, or by a field that it has not`],
    ),
    ...(definition.sourcing.followUps ?? []).flatMap(make =>
      kinds.get(make.kind)?.sourcing.sources?.some(take => take.from === kind)
        ? []
        : [`${kind} makes ${make.kind}, which cannot be made from it`],
    ),
    ...(definition.intercompany.copies ?? []).flatMap(send =>
      [send.creates?.kind, send.creates?.alternative?.kind].flatMap(created =>
        created && !kinds.has(created) ? [`${kind} creates ${created}, which is not registered`] : [],
      ),
    ),
    ...(definition.intercompany.copies ?? []).flatMap(send =>
      [...(send.header ?? []), ...(send.lines ?? [])].flatMap(name =>
        (definition.header[name] ?? definition.lines[name])?.patient
          ? [`${kind} would send the patient field ${name}`]
          : [],
      ),
    ),
    ...[definition.compliance.happenedAt, definition.compliance.dateField].flatMap(name =>
      name === undefined || name in definition.header ? [] : [`${kind} is judged by ${name}, which it has not`],
    ),
    ...(booksAccounts(definition) && !definition.posting.accountMovement
      ? [`${kind} books accounts and does not say what that does to the balance (posting.accountMovement)`]
      : []),
    ...wrongReversal(registry, definition),
    ...wrongViews(registry, definition),
    ...wrongPlaces(definition),
    ...wrongReferences(registry, kind, { ...definition.header, ...definition.lines }),
  ]
}

/**
 * Kinds that post must be reversible, except corrections and kinds whose goods come home by documents of another kind.
 */
function wrongReversal({ documents }: Registry, { kind, actions, lineRules, posting }: AnyDocument): string[] {
  const { comesHomeBy } = posting
  if (comesHomeBy !== undefined && !documents.some(other => other.kind === comesHomeBy))
    return [`${kind} comes home by ${comesHomeBy}, which is not registered`]
  const wanted = posting.postings !== undefined && !lineRules.correctedValues && comesHomeBy === undefined
  return wanted === Object.values(actions).some(({ effect }) => effect === 'reverse')
    ? []
    : [`${kind} ${wanted ? 'posts and has no' : 'has a'} reversal (posting.comesHomeBy, lineRules.correctedValues)`]
}

/**
 * A view shows rows by an instant; an action that moves a card into another lane must have the field of the lanes as
 * input.
 */
function wrongViews({ entities }: Registry, { kind, header, actions, screens }: AnyDocument): string[] {
  return screens.flatMap(({ views = [] }) =>
    views.flatMap(({ name, at, lanes }) => [
      ...(header[at]?.as === 'instant' ? [] : [`${kind} is seen as ${name} by ${at}, which is no instant`]),
      ...(lanes === undefined || entities.some(entity => entity.kind === lanes.of.kind)
        ? []
        : [`${kind} is seen as ${name} in lanes of ${lanes.of.kind}, which is not registered`]),
      ...(lanes?.moves ?? [])
        .filter(action => !actions[action]?.inputs?.includes(lanes!.by))
        .map(action => `${kind}.${action} moves a card of ${name} and does not ask for ${lanes!.by}`),
    ]),
  )
}

/** Figures over the whole organisation are withheld where lists and records are read, and said nowhere else. */
function wrongWholeOnly({ documents, entities, reports }: Registry): string[] {
  const asked = (calls: Readonly<Record<string, { readonly asks?: Fields }>> = {}) =>
    Object.values(calls).map(({ asks }) => asks)
  const places: readonly (readonly [kind: string, parts: readonly (Fields | undefined)[]])[] = [
    ...documents.map(
      ({ kind, header, lines, lifecycle }) =>
        [kind, [header, lines, ...Object.values(lifecycle.listActions ?? {}).map(({ inputs }) => inputs)]] as const,
    ),
    ...entities.map(({ kind, fields, parameters, actions, calls, readOnly }) => {
      const written = Object.entries(fields).filter(([, field]) => readOnly !== true && field.readOnly !== true)
      return [kind, [Object.fromEntries(written), parameters, ...asked(actions), ...asked(calls)]] as const
    }),
    ...reports.map(
      ({ kind, columns, beside, parameters, calls }) => [kind, [columns, beside, parameters, ...asked(calls)]] as const,
    ),
  ]
  return places.flatMap(([kind, parts]) =>
    parts.flatMap((fields = {}) =>
      Object.entries(fields).flatMap(([name, { wholeOnly }]) =>
        wholeOnly ? [`${kind}.${name} is wholeOnly, where nobody reads that`] : [],
      ),
    ),
  )
}

/** A route exists once, or as the tabs of one page: then each tab has its own name, and all agree on title and menu. */
function wrongRoutes(screens: readonly Screen[]): string[] {
  return [...Map.groupBy(screens, screen => screen.route)].flatMap(([route, shown]) => {
    if (shown.length === 1) return shown[0]!.tab === undefined ? [] : [`route ${route} has a single tab`]
    const names = shown.map(screen => screen.tab)
    if (names.includes(undefined) || new Set(names).size < names.length) return [`route ${route} is shown twice`]
    const [first, ...others] = inTabOrder(shown, screen => screen)
    const stray = others.find(screen => screen.title !== first!.title || screen.menu !== first!.menu)
    return [
      ...(stray ? [`the tabs of ${route} do not agree on title and menu`] : []),
      ...others
        .filter(screen => [...screen.orgs].some(org => !first!.orgs.includes(org)) && !standsAlone(screen, shown))
        .map(screen => `${screenKey(screen)} is for somebody who does not have the first tab of its page`),
    ]
  })
}

/** A screen names its own columns and filters. */
const wrongLabels = (screen: Screen): string[] =>
  Object.keys(screen.labels ?? {})
    .filter(name => !screen.columns.includes(name) && !screen.filters.includes(name))
    .map(name => `${screenKey(screen)} names ${name}, which it does not show`)

/** Organisations of some types have another page under this route: the only one that is shown to them. */
const standsAlone = (screen: Screen, shown: readonly Screen[]): boolean =>
  shown.every(other => other === screen || ![...screen.orgs].some(org => other.orgs.includes(org)))

const wrongLinks = ({ kind, links = [] }: AnyEntity, screens: readonly Screen[]): string[] =>
  links.flatMap(({ to, tab, label }) =>
    (typeof to === 'string' ? [to] : Object.values(to))
      // Print sheets are not menu pages; the print page finds its own.
      .filter(route => !isPrintRoute(route))
      .filter(route => !screens.some(screen => screen.route === route && screen.tab === tab))
      .map(route => `${kind} links by ${label} to ${route}, where there is no such page`),
  )

/**
 * Checks that types cannot express, each problem as a sentence for the engineer. Empty when the program may boot: names
 * and routes are unique, every reference resolves, every state can be reached, no patient field is sent. Parts that a
 * single definition lacks are found by the compiler (`kernel/definition/document.test-d.ts`).
 */
export function checkDefinitions(registry: Registry): string[] {
  const { documents, entities, reports } = registry
  const { tools = [] } = registry
  // In tab order of a page: reports come before the records they belong to.
  const all = [...documents, ...reports, ...entities]
  const screens = [...tools, ...all.flatMap(definition => definition.screens)]
  return [
    ...repeated(all.map(definition => definition.kind)).map(kind => `${kind} is defined twice`),
    ...repeated(documents.map(definition => definition.numberPrefix)).map(prefix => `prefix ${prefix} is given twice`),
    ...wrongRoutes(screens),
    ...screens.flatMap(wrongLabels),
    ...documents.flatMap(definition => wrongDocument(registry, definition)),
    ...entities.flatMap(definition => wrongReferences(registry, definition.kind, definition.fields)),
    ...entities.flatMap(definition => wrongLinks(definition, screens)),
    ...wrongWholeOnly(registry),
  ]
}
