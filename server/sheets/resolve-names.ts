import type { AnyEntity } from '#kernel/definition/entity.ts'
import { columnOf, type FieldSpec } from '#kernel/definition/field.ts'
import { entityOf } from '#kernel/registry.ts'
import type { SheetRow } from '#server/sheets/sheet.ts'
import type { Fragment } from '#server/records/hooks.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A column of an imported sheet that fills a field. */
export type Named = { readonly name: string; readonly field: FieldSpec }
/** Per reference field: the user's text → the keys it may mean. */
export type Keys = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

/** Users write names and codes where the wire has keys; one statement per reference. */
export async function resolveNames(
  tx: Tx,
  session: Session,
  fields: ReadonlyMap<string, Named>,
  rows: readonly SheetRow[],
): Promise<Keys> {
  const keys = new Map<string, ReadonlyMap<string, readonly string[]>>()
  for (const [label, { name, field }] of fields) {
    const target = field.as === 'ref' ? entityOf(field.target ?? '') : undefined
    const written = [...new Set(rows.map(row => row.cells.get(label) ?? '').filter(Boolean))]
    if (!target || written.length === 0) continue
    const { display, code, among } = knownBy(tx, session, target)
    const own = target.scope === 'organisation' ? tx`t.org_id = ${session.org.id} and` : tx``
    const found = await tx<{ id: string; display: string; code: string | null }[]>`
      select t.id, ${display} as display, ${code} as code from ${tx(target.table)} t
       where ${own} ${among} and (${display} = any(${written}::text[]) or ${code} = any(${written}::text[]))`
    keys.set(
      name,
      new Map(
        written.map(text => [text, found.filter(one => one.display === text || one.code === text).map(one => one.id)]),
      ),
    )
  }
  return keys
}

type Known = { readonly display: Fragment; readonly code: Fragment; readonly among: Fragment }

/**
 * The name and the code of a record's rows `t`. Rows that are shown as what they refer to have its name and code: those
 * that the user's own list shows, for a table may hold others of the same name.
 */
function knownBy(tx: Tx, session: Session, { kind, display, fields }: AnyEntity): Known {
  const field = fields[display] ?? { as: 'text' }
  const column = columnOf(display, field)
  const shown = field.as === 'ref' ? entityOf(field.target ?? '') : undefined
  const own = { display: tx`t.${tx(column)}::text`, code: 'code' in fields ? tx`t.code` : tx`null::text` }
  if (shown === undefined) return { ...own, among: tx`true` }
  const of = (name: string) =>
    tx`(select x.${tx(columnOf(name, shown.fields[name] ?? { as: 'text' }))}::text from ${tx(shown.table)} x
      where x.id = t.${tx(column)})`
  return {
    display: of(shown.display),
    code: 'code' in shown.fields ? of('code') : tx`null::text`,
    among: rulesOf(kind).visible?.(tx, session, {}) ?? tx`true`,
  }
}

/** The one row that a name means, or the message why there is none. */
export function resolveName(
  keys: Keys,
  name: string,
  text: string,
): { readonly id: string } | { readonly msg: string } {
  const ids = keys.get(name)?.get(text) ?? []
  const [id] = ids
  if (id !== undefined && ids.length === 1) return { id }
  return { msg: ids.length === 0 ? `“${text}”不存在` : `“${text}”有多个，请改用编码` }
}
