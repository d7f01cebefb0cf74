import { actedFields, placesOf } from '#kernel/rules/places.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Fields, FieldSpec } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Fragment } from '#server/records/hooks.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Columns of a row that name its stores, department and person. */
export type Placed = {
  readonly stores: readonly Fragment[]
  readonly department: Fragment | null
  readonly people: readonly Fragment[]
}

export const isRestricted = (session: Session): boolean =>
  session.warehouses !== 'all' || session.departments !== 'all' || session.ownOnly

/** The message to users who are bound to a part of an organisation and ask for figures of all of it. */
export const WHOLE_ONLY = '按整个机构统计，仅对不限仓库、科室和本人单据的人员开放，请联系管理员'

/**
 * The rows a session sees: those of its stores (any of them), of its departments, and its own where it sees no
 * others. Rows that name none are visible to all.
 */
export function scopeSql(tx: Tx, session: Session, placed: Placed): Fragment {
  const parts: Fragment[] = []
  if (session.warehouses !== 'all' && placed.stores.length > 0) {
    const stores = [...session.warehouses]
    const nowhere = placed.stores.map(store => tx`${store} is null`).reduce((all, one) => tx`${all} and ${one}`)
    const here = placed.stores
      .map(store => tx`${store} = any(${stores}::bigint[])`)
      .reduce((all, one) => tx`${all} or ${one}`)
    parts.push(tx`((${nowhere}) or ${here})`)
  }
  if (session.departments !== 'all' && placed.department !== null)
    parts.push(tx`(${placed.department} is null or ${placed.department} = any(${[...session.departments]}::bigint[]))`)
  if (session.ownOnly && placed.people.length > 0)
    parts.push(
      tx`(${placed.people
        .map(person => tx`${person} = ${session.userId}`)
        .reduce(
          (all, one) => tx`${all}
        or ${one}`,
        )})`,
    )
  return parts.reduce<Fragment>((all, part) => tx`${all} and ${part}`, tx`true`)
}

/** The same for documents, whose columns the engine knows: `d` is the document. */
export const documentScopeSql = (tx: Tx, session: Session): Fragment =>
  scopeSql(tx, session, { ...placesOfDocument(tx), people: [tx`d.created_by`, tx`d.submitted_by`] })

/** Documents from which something may be made: of any author, whether or not the reader has their page. */
export const sourceScopeSql = (tx: Tx, session: Session): Fragment =>
  scopeSql(tx, session, { ...placesOfDocument(tx), people: [] })

const placesOfDocument = (tx: Tx) => ({
  stores: [tx`d.warehouse_id`, tx`d.to_warehouse_id`],
  department: tx`d.department_id`,
})

type ScopedDocument = {
  readonly warehouse_model_inner_sn?: unknown
  readonly to_warehouse_model_inner_sn?: unknown
  readonly department_inner_sn?: unknown
  readonly created_by?: unknown
  readonly submitted_by?: unknown
}

/** True if the session sees a loaded document. */
export function inScope(session: Session, doc: ScopedDocument): boolean {
  if (session.warehouses !== 'all') {
    const named = [doc.warehouse_model_inner_sn, doc.to_warehouse_model_inner_sn].filter(
      store => store !== null && store !== undefined,
    )
    const stores = session.warehouses
    if (named.length > 0 && !named.some(store => stores.has(String(store)))) return false
  }
  const department = doc.department_inner_sn ?? null
  if (session.departments !== 'all' && department !== null && !session.departments.has(String(department))) return false
  if (!session.ownOnly || !('created_by' in doc)) return true
  return [doc.created_by, doc.submitted_by].some(person => String(person) === session.userId)
}

/** True if the session may act in a store or a department. A field that names none is never refused. */
export function mayActIn(session: Session, { target }: Pick<FieldSpec, 'target'>, id: unknown): boolean {
  if (id === null || id === undefined || id === '') return true
  const own = target === 'department' ? session.departments : (session.actsIn ?? session.warehouses)
  return own === 'all' || own.has(String(id))
}

/**
 * The stores and departments in which an action on a document acts and its caller may not: null where the caller may
 * act in all of them. Where one side or the other may act, those of the first.
 */
function actsElsewhere(
  session: Session,
  definition: AnyDocument,
  action: string,
  doc: Readonly<Record<string, unknown>>,
): readonly string[] | null {
  if (session.warehouses === 'all' && session.departments === 'all') return null
  const elsewhere = placesOf(definition, action, doc).map(group =>
    group.filter(name => !mayActIn(session, definition.header[name]!, doc[name])),
  )
  return elsewhere.some(names => names.length === 0) ? null : (elsewhere[0] ?? null)
}

export const NOT_THERE = '没有所选仓库或科室的数据权限，请选择本人可见的仓库和科室，或联系管理员'

/** Refuses to write a document that its writer could not see, or that acts where the writer may not. */
export function checkScope(
  session: Session,
  definition: AnyDocument,
  header: ScopedDocument,
  lines: readonly Readonly<Record<string, unknown>>[] = [],
): void {
  const { created_by: _author, submitted_by: _submitter, ...placed } = header
  const acted = actedFields(definition.lines)
  const isElsewhere =
    !inScope(session, placed) ||
    actsElsewhere(session, definition, 'add', header as Readonly<Record<string, unknown>>) !== null ||
    lines.some(line => acted.some(name => !mayActIn(session, definition.lines[name]!, line[name])))
  if (isElsewhere) throw new BusinessError('forbidden', NOT_THERE)
}

/** Refuses an action on a document by people of another store or department than those where it acts. */
export function checkActsThere(
  session: Session,
  definition: AnyDocument,
  action: string,
  doc: Readonly<Record<string, unknown>>,
): void {
  const elsewhere = actsElsewhere(session, definition, action, doc)
  if (elsewhere === null) return
  const labels = elsewhere.map(name => definition.header[name]?.label ?? '').join('、')
  throw new BusinessError('forbidden', `没有操作权限：请由${labels}的人员办理`)
}

/** The same for what a call asks: a store or a department that it acts in is one of its caller's. */
export function checkPlaces(session: Session, fields: Fields, values: Readonly<Record<string, unknown>>): void {
  const elsewhere = actedFields(fields).find(name => !mayActIn(session, fields[name]!, values[name]))
  if (elsewhere !== undefined) throw new BusinessError('forbidden', NOT_THERE, [{ field: elsewhere, msg: NOT_THERE }])
}

/**
 * The stores and departments to which the fragments of a report's SQL bind its rows; null where the session sees all.
 */
export const visibleTo = (session: Session) => ({
  visible_warehouses: session.warehouses === 'all' ? null : [...session.warehouses],
  visible_departments: session.departments === 'all' ? null : [...session.departments],
  visible_author: session.ownOnly ? session.userId : null,
})
