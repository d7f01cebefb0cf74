import { canonicalCode, possibleCodes } from '#kernel/codes/canonical-code.ts'
import type { Fields, FieldSpec } from '#kernel/definition/field.ts'
import { entityOf } from '#kernel/registry.ts'
import { sameName } from '#kernel/values/same-name.ts'
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

/** The codes of an organisation's rows of a kind that texts name, in their order; texts that name none stay. */
async function codesOfRows(tx: Tx, org: string, kind: string, texts: readonly string[]): Promise<string[]> {
  const rows = await tx<{ code: string }[]>`
    select code from ${tx(entityOf(kind)!.table)}
     where org_id = ${org} and same_name(code) = any(${texts.map(sameName)})`
  const exact = new Set(rows.map(row => row.code))
  const known = new Map(rows.map(({ code }) => [sameName(code), code]))
  return texts.map(text => (exact.has(text) ? text : (known.get(sameName(text)) ?? text)))
}

type Row = Readonly<Record<string, unknown>>
/** How the codes of a field are read: one reader for all fields that are read alike. Null: it holds no codes. */
function readerOf({ as, form, codeOf }: FieldSpec): { readonly by: string; readonly read: Reader } | null {
  if (codeOf !== undefined) return { by: codeOf, read: (tx, org, texts) => codesOfRows(tx, org, codeOf, texts) }
  if (as !== 'codes' || (form !== 'piece' && form !== 'newPiece')) return null
  if (form === 'piece') return { by: form, read: storedCodes }
  return { by: form, read: async (_tx, _org, texts) => texts.map(text => canonicalCode(text, today()).bare) }
}
type Reader = (tx: Tx, org: string, texts: readonly string[]) => Promise<string[]>

/**
 * Rows of parsed values with each code as it is kept: that of a piece by whatever carrier, case and width it was
 * scanned or typed, that of a kit or an instrument by its name. This is the one place where codes in fields are read;
 * the pieces of a document's lines are read with the lines.
 */
export async function withKeptCodes<R extends Row>(
  tx: Tx,
  org: string,
  fields: Fields,
  rows: readonly R[],
): Promise<R[]> {
  const read = Object.entries(fields).flatMap(([name, field]) => {
    const reader = readerOf(field)
    return reader === null ? [] : [{ name, ...reader }]
  })
  const textsOf = (row: Row, name: string): readonly string[] => {
    const value = row[name] as string | readonly string[] | null | undefined
    return typeof value === 'string' ? [value] : (value ?? [])
  }
  let kept: readonly R[] = rows
  for (const [, alike] of Map.groupBy(read, ({ by }) => by)) {
    const texts = [...new Set(rows.flatMap(row => alike.flatMap(({ name }) => textsOf(row, name))))]
    if (texts.length === 0) continue
    const codes = await alike[0]!.read(tx, org, texts)
    const codeOf = new Map(texts.map((text, at) => [text, codes[at]!]))
    const named = (value: unknown) =>
      typeof value === 'string' ? codeOf.get(value) : (value as readonly string[]).map(text => codeOf.get(text)!)
    kept = kept.map(row => ({
      ...row,
      ...Object.fromEntries(
        alike.filter(({ name }) => textsOf(row, name).length > 0).map(({ name }) => [name, named(row[name])]),
      ),
    }))
  }
  return [...kept]
}
