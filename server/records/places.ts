import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { Fields } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { actedFields } from '#kernel/rules/places.ts'
import { entityOf } from '#kernel/registry.ts'
import { mayActIn, NOT_THERE } from '#server/access/data-scope.ts'
import type { RecordRow } from '#server/records/hooks.ts'
import { partsOf } from '#server/records/select.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

type Row = Readonly<RecordRow>
/** A record, or what a dialog asks, as far as its stores and departments go. */
type Placed = { readonly fields: Fields; readonly kind?: string; readonly key?: string; readonly under?: string }

/** Records that are places themselves. */
const places: ReadonlySet<string> = new Set(['warehouse', 'department'])

/** True for a record that is always in a store: a cabinet, and records that always belong to one. */
function alwaysStands({ kind, fields, scope }: AnyEntity, seen: readonly string[] = []): boolean {
  if (scope !== 'organisation' || seen.includes(kind)) return false
  const filled = Object.entries(fields).filter(([, field]) => field.required || field.readOnly)
  return filled.some(([name, { as, target, named }]) => {
    if (as !== 'ref' || named !== undefined) return false
    const holder = entityOf(target ?? '')
    return actedFields(fields).includes(name) || (holder !== undefined && alwaysStands(holder, [...seen, kind]))
  })
}

/**
 * References from which a record has its store or department: to the record that it is a part of, and to records that
 * are always in a store. By field, the record referred to.
 */
export function carriedBy({ fields, kind, under }: Placed): ReadonlyMap<string, AnyEntity> {
  const own = actedFields(fields)
  const carriers = Object.entries(fields).flatMap(([name, { as, target, named }]): [string, AnyEntity][] => {
    const holder = as === 'ref' && named === undefined && target !== kind ? entityOf(target ?? '') : undefined
    if (holder === undefined || holder.scope !== 'organisation' || own.includes(name)) return []
    const isWhole = holder.kind === under && standsSomewhere(holder)
    return isWhole || alwaysStands(holder) ? [[name, holder]] : []
  })
  return new Map(carriers)
}

/**
 * True for a record whose rows may be in a store or a department: by their own fields, or by the record to which they
 * belong.
 */
export const standsSomewhere = (record: Placed): boolean =>
  places.has(record.kind ?? '') || actedFields(record.fields).length > 0 || carriedBy(record).size > 0

/** True for a row whose own store or department is not one where the session acts. */
const isElsewhere = (session: Session, { fields, kind = '', key = '' }: Placed, row: Row): boolean =>
  (places.has(kind) && !mayActIn(session, { target: kind }, row[key])) ||
  actedFields(fields).some(name => !mayActIn(session, fields[name]!, row[name]))

/**
 * The rows that are in a store or department where the session does not act, by their own fields or by the record to
 * which they belong.
 */
export async function rowsElsewhere<Of extends Row>(
  tx: Tx,
  session: Session,
  definition: Placed,
  rows: readonly Of[],
): Promise<ReadonlySet<Of>> {
  if (session.warehouses === 'all' && session.departments === 'all') return new Set()
  const away = new Set(rows.filter(row => isElsewhere(session, definition, row)))
  for (const [name, holder] of carriedBy(definition)) {
    const ids = [...new Set(rows.map(row => String(row[name] ?? '')))].filter(id => /^\d{1,18}$/.test(id))
    if (ids.length === 0) continue
    const read = [...actedFields(holder.fields), ...carriedBy(holder).keys()]
    const parts = partsOf(tx, session, holder, { one: true })
    const columns = read
      .map(field => tx`, ${parts.expression(field)} as ${tx(field)}`)
      .reduce((before, one) => tx`${before}${one}`, tx``)
    const holders = await tx<RecordRow[]>`
      select t.id::text as ${tx(holder.key)} ${columns} ${parts.from()}
       where t.org_id = ${session.org.id} and t.id = any(${ids}::bigint[])`
    const gone = new Set([...(await rowsElsewhere(tx, session, holder, holders))].map(row => row[holder.key]))
    for (const row of rows) if (gone.has(String(row[name] ?? ''))) away.add(row)
  }
  return away
}

/** Refuses a row, or the answers of a dialog, in a store or a department where the session does not act. */
export async function mustActThere(tx: Tx, session: Session, definition: Placed, row: Row): Promise<void> {
  if ((await rowsElsewhere(tx, session, definition, [row])).size === 0) return
  const { fields } = definition
  const field = actedFields(fields).find(name => !mayActIn(session, fields[name]!, row[name]))
  throw new BusinessError('forbidden', NOT_THERE, field === undefined ? [] : [{ field, msg: NOT_THERE }])
}
