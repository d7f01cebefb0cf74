import { cachedInTx, type Tx } from '#server/database/transaction.ts'

/** The base units of each pack unit, and the specification to which it belongs. */
export async function packUnits(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, { specification_id: string; name: string; base_measure: number }>> {
  const wanted = [...new Set(ids)].sort()
  if (wanted.length === 0) return new Map()
  return cachedInTx(tx, JSON.stringify(['packs', wanted]), async () => {
    const rows = await tx<{ id: string; specification_id: string; name: string; base_measure: number }[]>`
      select id, specification_id, name, base_measure from unit_tree where id = any(${wanted}::bigint[])`
    return new Map(rows.map(row => [row.id, row]))
  })
}
