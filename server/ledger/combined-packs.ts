import { isPackCode, isPartCode } from '#kernel/codes/pack-code.ts'
import type { Tx } from '#server/database/transaction.ts'

/** What combined packs consist of: the codes of their parts, by the code that is printed on the pack. */
export async function partsOfPacks(
  tx: Tx,
  org: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const whole = codes.filter(code => isPackCode(code) && !isPartCode(code))
  if (whole.length === 0) return new Map()
  const rows = await tx<{ pack_code: string; parts: string[] }[]>`
    select pack_code, array_agg(code order by length(code), code) as parts from pack
     where org_id = ${org} and pack_code = any(${whole}) group by 1`
  return new Map(rows.map(row => [row.pack_code, row.parts]))
}
