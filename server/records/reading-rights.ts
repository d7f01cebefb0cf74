import type { AnyEntity } from '#kernel/definition/entity.ts'
import { type FieldSpec, type Fields, nameKeyOf } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { derived, documents, entities, entityOf, reports } from '#kernel/registry.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { hasPageAccess, may, type Session } from '#server/access/session.ts'

/**
 * True if a user reads the rows of a record whole. That needs the flag that its rules name; else a page of its own, an
 * operation on it, the record that it is a part of, or a definition that is open to everyone.
 */
export function mayRead(session: Session, definition: AnyEntity): boolean {
  if (session.flags === 'all') return true
  const { readFlag } = rulesOf(definition.kind)
  if (readFlag !== undefined) return [readFlag].flat().some(flag => may(session, flag))
  return definition.pickerFields === 'all' || hasRight(session, definition)
}

function hasRight(session: Session, definition: AnyEntity): boolean {
  const parent = definition.under === undefined ? undefined : entityOf(definition.under)
  return hasPageAccess(session, definition) || (parent !== undefined && hasRight(session, parent))
}

/** Refuses to show whole rows to those who have no right to them. */
export function mustMayRead(session: Session, definition: AnyEntity): void {
  if (!mayRead(session, definition)) throw new BusinessError('forbidden')
}

/**
 * The part of a list that a user reads: whole rows, or the columns that a picker of another page needs. Null: nothing.
 */
export function readableOf(session: Session, definition: AnyEntity): AnyEntity | null {
  return mayRead(session, definition) ? definition : (pickers().get(definition.kind) ?? null)
}

/** The columns of a row that a user reads of it; a whole row passes as it is. */
export const shownOf = (definition: AnyEntity, readable: AnyEntity) => {
  if (definition === readable) return <Row extends object>(row: Row): Row => row
  const names = new Set([
    definition.key,
    'version',
    ...Object.keys({ ...readable.fields, ...readable.extras }).flatMap(name => [name, nameKeyOf(name)]),
  ])
  return <Row extends object>(row: Row): Row =>
    Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name))) as Row
}

/** Every field of every definition that refers to rows of a record. */
const references = derived((): readonly FieldSpec[] => {
  const fields: (Fields | undefined)[] = [
    ...documents().flatMap(({ header, lines, progress }) => [header, lines, progress.columns as Fields | undefined]),
    ...entities().flatMap(({ fields: own, parameters, actions, calls }) => [
      own,
      parameters,
      ...Object.values(actions ?? {}).map(({ asks }) => asks),
      ...Object.values(calls ?? {}).map(({ asks }) => asks),
    ]),
    ...reports().map(({ parameters }) => parameters),
  ]
  return fields.flatMap(some => Object.values(some ?? {})).filter(field => field.target !== undefined)
})

/**
 * Records that fields elsewhere refer to, each with what its pickers need: how users know the row, what the definition
 * adds (`pickerFields`), and what those fields narrow their choices by. A record whose rules name a flag has one only
 * where its definition says so.
 */
export const pickers = derived((): ReadonlyMap<string, AnyEntity> => {
  const narrowing = new Map<string, Set<string>>()
  for (const { target, optionsFilter } of references()) {
    const names = narrowing.get(target!) ?? new Set()
    for (const name of Object.keys(optionsFilter ?? {})) names.add(name)
    narrowing.set(target!, names)
  }
  return new Map(
    entities()
      .filter(({ kind, pickerFields }) => pickerFields ?? (narrowing.has(kind) && !rulesOf(kind).readFlag))
      .map(definition => [definition.kind, pickerOf(definition, narrowing.get(definition.kind) ?? new Set())]),
  )
})

function pickerOf(definition: AnyEntity, narrowing: ReadonlySet<string>): AnyEntity {
  const { fields, extras, display, search, sort, pickerFields } = definition
  const names = new Set([
    display,
    'code',
    'status',
    ...(pickerFields === 'all' ? [] : (pickerFields ?? [])),
    ...narrowing,
    ...(sort ?? '').split(',').map(name => name.replace(/^-/, '')),
  ])
  const { sums: _money, ...rest } = definition
  return {
    ...rest,
    fields: chosen(fields, names),
    extras: chosen(extras ?? {}, names),
    search: (search ?? [display]).filter(name => names.has(name) || name === 'pinyin'),
  }
}

const chosen = (fields: Fields, names: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)))
