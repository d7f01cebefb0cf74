import type { AnyEntity } from '#kernel/definition/entity.ts'
import { columnOf, f, type FieldSpec, nameKeyOf } from '#kernel/definition/field.ts'
import { filterWorded, type Screen, worded } from '#kernel/definition/screen.ts'
import { entities, entityOf } from '#kernel/registry.ts'
import { currentSession } from '#web/engine/session/session.ts'
import { type Column, columnFor } from '#web/list/table/column.ts'

/** The field of another definition for a column shown through a reference. */
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

/**
 * The field for a name on a record list: its own, a computed one, one shown through a reference, or a reference's
 * name.
 */
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

/** A row's name is pinned if the list begins with it. */
export function recordColumns(definition: AnyEntity, names: readonly string[], screen?: Screen): readonly Column[] {
  const pinned = names.indexOf(definition.display) <= 2 ? definition.display : null
  return names.flatMap(name => {
    const field = recordField(definition, name)
    return field === undefined ? [] : [columnFor(name, worded(screen, name, field), name === pinned ? 'left' : null)]
  })
}

/** Columns irrelevant to organisations of the user's kind. */
const meaningless = (screen: Screen): readonly string[] => {
  const type = currentSession()?.orgType
  return (type === undefined ? undefined : screen.without?.[type]) ?? []
}

/** The columns of a screen relevant to this user. */
export const shownColumns = (screen: Screen): readonly string[] =>
  screen.columns.filter(name => !meaningless(screen).includes(name))

/** Only the platform can view other organisations. */
const platformsOwn = 'of_org_sn'

export const recordFilters = (definition: AnyEntity, screen: Screen) =>
  screen.filters.flatMap(name => {
    if (meaningless(screen).includes(name)) return []
    if (name === platformsOwn && currentSession()?.orgType !== 'P') return []
    const field = recordField(definition, name) ?? (name === 'q' ? f.text('关键字') : undefined)
    return field === undefined ? [] : [{ name, field: filterWorded(screen, name, field) }]
  })

/** The screen's fixed values for the user's own organisation. */
export const ofOneself = ({ ofOneself: name }: Screen): Readonly<Record<string, unknown>> =>
  name === undefined ? {} : { [name]: currentSession()?.orgSn }

/** True if rows are enabled and disabled instead of deleted. */
export const hasSwitch = (definition: AnyEntity): boolean => {
  const choices = definition.fields.status?.choices ?? {}
  return 'enabled' in choices && 'disabled' in choices
}

/** The reference to a parent row of the same kind. */
export const parentField = (definition: AnyEntity): string | null =>
  Object.entries(definition.fields).find(([, field]) => field.as === 'ref' && field.target === definition.kind)?.[0] ??
  null

export type Child = { readonly definition: AnyEntity; readonly by: string }
/** Kinds whose rows are edited as part of a row of this kind: sizes of a product, packs of a size. */
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
/** True if a row has children of this kind at all. */
export const hasPart = ({ definition }: Child, above: Above): boolean => definition.partOf?.when(above) ?? true
/** True if the page lets the user edit them. */
export const partWritable = ({ definition }: Child, above: Above, editable: boolean): boolean =>
  definition.readOnly !== true && (definition.partOf?.written(above, above.actions ?? []) ?? editable)

/** The display field of a row as text. */
function displayText(definition: AnyEntity, row: Readonly<Record<string, unknown>>): string {
  const field = definition.fields[definition.display]
  const shown = field?.as === 'ref' ? row[nameKeyOf(definition.display)] : row[definition.display]
  const value = shown ?? definition.title
  return field?.choices?.[String(value)] ?? String(value)
}

/** The fields with the name that people use for a row, instead of its code. */
const NAMES = ['name', 'product_name', 'specification_name']

/** A row's readable name: what it is called, the goods it is about, and the field that it is displayed by. */
export function rowName(definition: AnyEntity, row: Readonly<Record<string, unknown>>): string {
  const names = NAMES.map(name => row[name]).filter(name => typeof name === 'string' && name !== '')
  const own = displayText(definition, row)
  const isOwnName = definition.display === 'name' || definition.display === 'title'
  return isOwnName ? own : [...new Set([...names, own])].join(' ')
}
