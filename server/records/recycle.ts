import type { JSONValue } from 'postgres'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { columnOf } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { entities } from '#kernel/registry.ts'
import type { RecordRow } from '#server/records/hooks.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

const tableOf = (definition: AnyEntity): string => rulesOf(definition.kind).table ?? definition.table

/** Kinds whose rows are parts of a row of this kind, and the linking column. */
const partsOf = (definition: AnyEntity): { readonly table: string; readonly column: string }[] =>
  entities().flatMap(part => {
    const by = Object.entries(part.fields).find(
      ([, field]) => field.as === 'ref' && field.required && field.target === definition.kind,
    )
    return part.under === undefined || !by || part.readOnly
      ? []
      : [{ table: tableOf(part), column: columnOf(by[0], by[1]) }]
  })

/** Stores a row about to be deleted or disabled, complete with its parts, so that it can be fully restored. */
export async function keepForRestore(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  row: Readonly<RecordRow>,
  operation: 'delete' | 'disable',
  reason: string | null = null,
): Promise<void> {
  const type = definition.restores?.(row as never)
  if (!type) return
  const id = String(row[definition.key])
  const [content] = await tx<
    { row: JSONValue }[]
  >`select to_jsonb(t) as row from ${tx(tableOf(definition))} t where t.id = ${id}`
  const children: Record<string, JSONValue[]> = {}
  for (const { table, column } of partsOf(definition)) {
    const rows = await tx<
      { row: JSONValue }[]
    >`select to_jsonb(t) as row from ${tx(table)} t where ${tx(`t.${column}`)} = ${id} order by t.id`
    if (rows.length > 0) children[table] = rows.map(one => one.row)
  }
  const related = Object.values(children).reduce((sum, rows) => sum + rows.length, 0)
  await tx`
    insert into recycle_bin (restore_type, kind, object_id, name, code, holder_id, operation, content, children,
      related_count, deleted_by, delete_reason)
    values (${type}, ${definition.kind}, ${id}, ${String(row[definition.display] ?? '')}, ${String(row.code ?? '')},
      ${session.org.id}, ${operation},
            ${tx.json(content!.row)}, ${tx.json(children)}, ${related}, ${session.userName}, ${reason})`
}

type Kept = {
  readonly object_id: string
  readonly operation: string
  readonly content: Record<string, unknown>
  readonly children: Record<string, unknown[]>
}

/** Restores the row with its parts; refused where another has taken its place meanwhile. */
export async function comeBack(tx: Tx, definition: AnyEntity, kept: Kept): Promise<void> {
  const table = tableOf(definition)
  if (kept.operation === 'disable') {
    const before = String(kept.content.status ?? 'enabled')
    const rows = await tx`update ${tx(table)} set status = ${before}, version = version + 1
        where id = ${kept.object_id} and status <> ${before} returning id`
    if (rows.length === 0) throw new BusinessError('wrongState', '该数据已恢复')
    return
  }
  try {
    await tx.savepoint(async inner => {
      await putBack(inner, table, [kept.content])
      for (const [part, rows] of Object.entries(kept.children)) await putBack(inner, part, rows)
    })
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === '23505') throw new BusinessError('duplicate', `存在相同的${definition.title}编码或证照号，不能恢复`)
    if (code === '23503') throw new BusinessError('rule', '请先恢复所属产品')
    throw error
  }
}

const putBack = (tx: Tx, table: string, rows: readonly unknown[]) => tx`
  insert into ${tx(table)} select (jsonb_populate_record(null::${tx(table)}, r)).*
    from jsonb_array_elements(${tx.json(rows)}::jsonb) r returning 1`
