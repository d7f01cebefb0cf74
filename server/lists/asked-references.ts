import type { FieldSpec, Fields } from '#kernel/definition/field.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { entityOf } from '#kernel/registry.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { ListColumns, ListQuery } from '#server/lists/query.ts'

type Values = Readonly<Record<string, unknown>>
type Asked = readonly (readonly [name: string, field: FieldSpec, value: unknown])[]

/** Rows of a target that are the caller's own or shared, among `ids`. */
export async function existingRows(
  tx: Tx,
  session: Session,
  target: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const definition = entityOf(target)
  const known = ids.filter(id => /^\d{1,18}$/.test(id))
  if (!definition || known.length === 0) return new Set()
  const isOwn = definition.scope === 'organisation' && session.oversees !== 'all'
  const own = isOwn ? tx`org_id = ${session.org.id} and` : tx``
  const rows = await tx<
    { id: string }[]
  >`select id from ${tx(definition.table)} where ${own} id = any(${known}::bigint[])`
  return new Set(rows.map(row => row.id))
}

/**
 * Refuses a list by a row that does not exist, or is another organisation's: an empty list would say that there is
 * nothing. The row's own key is no such filter, for a list without it says just that.
 */
export const checkListReferences = (
  tx: Tx,
  session: Session,
  { columns, parameters }: ListColumns,
  query: ListQuery,
  key?: string,
): Promise<void> =>
  check(tx, session, [
    ...query.conditions
      .filter(({ name, is }) => is === 'equal' && name !== key)
      .map(({ name, value }) => [name, columns[name]!, value] as const),
    ...Object.entries(query.parameters).flatMap(([name, value]) =>
      Object.hasOwn(parameters, name) ? [[name, parameters[name]!, value] as const] : [],
    ),
  ])

/** The same of values of fields, as a report is asked by them. */
export const checkReferenceValues = (tx: Tx, session: Session, fields: Fields, values: Values): Promise<void> =>
  check(
    tx,
    session,
    Object.entries(fields).map(([name, field]) => [name, field, values[name]] as const),
  )

async function check(tx: Tx, session: Session, asked: Asked): Promise<void> {
  const references = asked.flatMap(([name, { as, target = '', label }, value]) =>
    as === 'ref' && typeof value === 'string' && entityOf(target) ? [{ name, target, label, value }] : [],
  )
  const problems: Problem[] = []
  for (const { name, target, label, value } of references)
    if (!(await existingRows(tx, session, target, [value])).has(value))
      problems.push({ field: name, msg: `【${label}】不存在，请重新选择` })
  if (problems.length > 0) throw new BusinessError('invalid', problems[0]!.msg, problems)
}
