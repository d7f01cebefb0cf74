import { columnOf, type FieldSpec } from '#kernel/definition/field.ts'
import { entityOf } from '#kernel/registry.ts'
import type { SheetRow } from '#server/sheets/sheet.ts'
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
    const display = columnOf(target.display, target.fields[target.display] ?? { as: 'text' })
    const code = 'code' in target.fields ? tx`code` : tx`null::text`
    const own = target.scope === 'organisation' ? tx`org_id = ${session.org.id} and` : tx``
    const found = await tx<{ id: string; display: string; code: string | null }[]>`
      select id, ${tx(display)}::text as display, ${code} as code from ${tx(target.table)}
       where ${own} (${tx(display)}::text = any(${written}::text[]) or ${code} = any(${written}::text[]))`
    keys.set(
      name,
      new Map(
        written.map(text => [text, found.filter(one => one.display === text || one.code === text).map(one => one.id)]),
      ),
    )
  }
  return keys
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
