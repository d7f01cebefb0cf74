import { canonicalCode, possibleCodes } from '#kernel/codes/canonical-code.ts'
import { today } from '#kernel/values/date.ts'
import type { Fragment } from '#server/records/hooks.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The codes of the pieces that a scanned or typed text means to the organisation of the transaction, as `text[]`. */
export const codesNamedSql = (tx: Tx, text: string): Fragment =>
  tx`array(select codes_named(current_setting('app.org_id')::bigint, ${possibleCodes(text, today())}::text[]))`

/**
 * The codes under which the pieces are kept that texts name, in their order: whichever carrier was scanned, a serial
 * without its product, another case or width, a code without separators. Of several pieces it is the one in stock here;
 * texts that name none, or still several, stay as they are.
 */
export async function storedCodes(tx: Tx, org: string, texts: readonly string[]): Promise<string[]> {
  if (texts.length === 0) return []
  const read = texts.map(text => canonicalCode(text, today()).bare)
  const known = new Set(
    (await tx<{ bare: string }[]>`select bare from unit_code where bare = any(${read})`).map(row => row.bare),
  )
  const open = [...new Set(read)].filter(text => !known.has(text))
  if (open.length === 0) return read
  const asked = open.map(text => ({ text, readings: possibleCodes(text, today()) }))
  const rows = await tx<{ text: string; code: string; is_here: boolean }[]>`
    select distinct k.text, n.code, coalesce(u.status = 'in_stock' and u.holder_org_id = ${org}, false) as is_here
      from jsonb_to_recordset(${tx.json(asked)}) as k(text text, readings text[])
     cross join lateral codes_named(${org}, k.readings) n(code)
      join unit_code c on c.bare = n.code
      join unit u on u.lot_id = c.lot_id and u.id = c.unit_id`
  const named = Map.groupBy(rows, row => row.text)
  return read.map(text => {
    const found = named.get(text) ?? []
    const here = found.filter(row => row.is_here)
    const meant = new Set((here.length > 0 ? here : found).map(row => row.code))
    return meant.size === 1 ? [...meant][0]! : text
  })
}
