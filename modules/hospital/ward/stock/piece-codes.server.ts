import type { Tx } from '#server/public/database.ts'

/**
 * The codes of single pieces, by the keys of their rows, which name lot and piece; the own code before the others.
 * Codes and pieces are never joined.
 */
export async function codesOf(tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const pieces = keys.map(key => key.split('-')).filter(([kind]) => kind === 'u')
  if (pieces.length === 0) return new Map()
  const rows = await tx<{ id: string; code: string }[]>`
    select concat_ws('-', 'u', c.lot_id, c.unit_id) as id, c.bare as code from unit_code c
     where (c.lot_id, c.unit_id) in (select lot, unit from unnest(
       ${pieces.map(([, lot]) => lot!)}::bigint[], ${pieces.map(([, , unit]) => unit!)}::bigint[]) n(lot, unit))
       and c.ended is null and c.kind <> 'rfid'
     order by c.kind = 'inhouse' desc, c.kind, c.bare`
  return new Map([...Map.groupBy(rows, row => row.id)].map(([id, some]) => [id, some.map(row => row.code)]))
}
