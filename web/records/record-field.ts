import type { AnyEntity } from '#kernel/definition/entity.ts'
import { columnOf, type FieldSpec, f, nameKeyOf } from '#kernel/definition/field.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import { entities, entityOf } from '#kernel/registry.ts'
import { currentSession } from '#web/engine/session/session.ts'
import { type Column, columnFor } from '#web/list/table/column.ts'

/** The field of another definition behind a column that is shown through a reference. */
function shownThrough(definition: AnyEntity, name: string): FieldSpec | undefined {
  for (const field of Object.values(definition.fields)) {
    const column = field.shows?.[name]
    if (column === undefined) continue
    const found = Object.entries(entityOf(field.target ?? '')?.fields ?? {}).find(
      ([own, spec]) => columnOf(own, spec) === column,
    )
    return found?.[1] ?? f.text(field.label)
  }
  return undefined
}

/** The field behind a name on a record's list: its own, a computed one, one shown through a reference, or a reference's name. */
export function recordField(definition: AnyEntity, name: string): FieldSpec | undefined {
  const known =
    definition.fields[name] ??
    definition.extras?.[name] ??
    definition.parameters?.[name] ??
    shownThrough(definition, name)
  if (known !== undefined) return known
  const reference = Object.entries(definition.fields).find(
    ([own, field]) => field.as === 'ref' && nameKeyOf(own) === name,
  )
  return reference === undefined ? undefined : f.text(reference[1].label)
}

/** The name of a row stays in sight, where the list begins with it. */
export function recordColumns(definition: AnyEntity, names: readonly string[]): readonly Column[] {
  const pinned = names.indexOf(definition.display) <= 2 ? definition.display : null
  return names.flatMap(name => {
    const field = recordField(definition, name)
    return field === undefined ? [] : [columnFor(name, field, name === pinned ? 'left' : null)]
  })
}

/** What means nothing to organisations of the reader's kind. */
const meaningless = (screen: Screen): readonly string[] => {
  const type = currentSession()?.orgType
  return (type === undefined ? undefined : screen.without?.[type]) ?? []
}

/** The columns of a screen that say something to this reader. */
export const shownColumns = (screen: Screen): readonly string[] =>
  screen.columns.filter(name => !meaningless(screen).includes(name))

/** Into other organisations the platform alone looks. */
const platformsOwn = 'of_org_sn'

export const recordFilters = (definition: AnyEntity, screen: Screen) =>
  screen.filters.flatMap(name => {
    if (meaningless(screen).includes(name)) return []
    if (name === platformsOwn && currentSession()?.orgType !== 'P') return []
    const field = recordField(definition, name) ?? (name === 'q' ? f.text('关键字') : undefined)
    return field === undefined ? [] : [{ name, field }]
  })

/** What a row of the screen says of the reader's own organisation, without being asked. */
export const ofOneself = ({ ofOneself: name }: Screen): Readonly<Record<string, unknown>> =>
  name === undefined ? {} : { [name]: currentSession()?.orgSn }

/** Whether rows are switched on and off instead of being deleted. */
export const hasSwitch = (definition: AnyEntity): boolean => {
  const choices = definition.fields.status?.choices ?? {}
  return 'enabled' in choices && 'disabled' in choices
}

/** The reference by which rows stand under rows of their own kind. */
export const parentField = (definition: AnyEntity): string | null =>
  Object.entries(definition.fields).find(([, field]) => field.as === 'ref' && field.target === definition.kind)?.[0] ??
  null

export type Child = { readonly definition: AnyEntity; readonly by: string }
/** Kinds whose rows are written as part of a row of this kind: sizes under a product, packs under a size. */
export const childrenOf = (definition: AnyEntity): readonly Child[] =>
  entities().flatMap(each => {
    const by =
      each.under === undefined
        ? undefined
        : Object.entries(each.fields).find(
            ([, field]) => field.as === 'ref' && field.required && field.target === definition.kind,
          )?.[0]
    return by === undefined ? [] : [{ definition: each, by }]
  })

type Above = Readonly<Record<string, unknown>> & { readonly actions?: readonly string[] | null }
/** Whether a row has parts of this kind at all. */
export const hasPart = ({ definition }: Child, above: Above): boolean => definition.partOf?.when(above) ?? true
/** Whether the page offers to write them. */
export const partWritable = ({ definition }: Child, above: Above, editable: boolean): boolean =>
  definition.readOnly !== true && (definition.partOf?.written(above, above.actions ?? []) ?? editable)

/** What people call a row: its display field in words. */
export const rowName = (definition: AnyEntity, row: Readonly<Record<string, unknown>>): string => {
  const field = definition.fields[definition.display]
  const shown = field?.as === 'ref' ? row[nameKeyOf(definition.display)] : row[definition.display]
  const value = shown ?? definition.title
  return field?.choices?.[String(value)] ?? String(value)
}
