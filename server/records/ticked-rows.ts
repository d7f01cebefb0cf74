import type { AnyEntity } from '#kernel/definition/entity.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ListActionHandler, RecordRow } from '#server/records/hooks.ts'
import { rowsElsewhere } from '#server/records/places.ts'
import { all, partsOf } from '#server/records/select.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

const isNumber = (key: string): boolean => /^\d{1,18}$/.test(key)

/** Rows of tables have numbers, those of some views are named by a text. */
const namedBy = (tx: Tx, keys: readonly string[]) =>
  keys.every(isNumber) ? tx`t.id = any(${keys as string[]})` : tx`t.id::text = any(${keys as string[]})`

/** Those of these keys whose rows a caller sees: for what only shows or prints them. */
export async function keysSeen(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const parts = partsOf(tx, session, definition, { one: true })
  const rows = await tx<{ key: string }[]>`
    select t.id::text as key ${parts.from()} where ${all(tx, [parts.mine(), namedBy(tx, keys)])}`
  return new Set(rows.map(({ key }) => key))
}

/**
 * The rows that a call names by their keys, as its caller sees them and in the order of the keys. A row that the caller
 * does not see, or that is in a store or a department where the caller does not act, answers like one that never
 * existed.
 */
export async function tickedRows(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  keys: readonly string[],
  locks = false,
): Promise<readonly RecordRow[]> {
  if (keys.length === 0) return []
  const parts = partsOf(tx, session, definition, { one: true })
  const named = namedBy(tx, keys)
  if (locks) {
    const table = rulesOf(definition.kind).table ?? definition.table
    await tx`select 1 from ${tx(table)} t where ${named} order by t.id for update`
  }
  const rows = await tx<RecordRow[]>`
    select ${parts.columns()} ${parts.from()} where ${all(tx, [parts.mine(), named])}`
  const complete = rulesOf(definition.kind).complete
  const found = new Map(
    ((await complete?.(tx, session, rows)) ?? [...rows]).map(row => [String(row[definition.key]), row]),
  )
  const away = await rowsElsewhere(tx, session, definition, [...found.values()])
  return keys.map(key => {
    const row = found.get(key)
    if (row === undefined || away.has(row))
      throw new BusinessError('notFound', definition.goneMessage ?? `${definition.title}不存在或已被删除`)
    return row
  })
}

/** Makes a call above a list as its caller does, from code: on the rows with these keys. */
export async function makeCall(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  name: string,
  asked: Readonly<RecordRow>,
  ids: readonly string[] = [],
): ReturnType<ListActionHandler> {
  const rows = await tickedRows(tx, session, definition, ids, definition.calls?.[name]?.locks === true)
  return rulesOf(definition.kind).calls![name]!({ tx, session, asked, rows, ids })
}
