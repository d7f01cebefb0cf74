import { isPackCode, isPartCode } from '#kernel/codes/pack-code.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Tx } from '#server/database/transaction.ts'

type Parts = ReadonlyMap<string, readonly string[]>
const isWhole = (code: string): boolean => isPackCode(code) && !isPartCode(code)

/**
 * The parts of combined packs and of packs of coded pieces: codes, by the code that is printed on the pack. An opened
 * pack of pieces has none any more; `ever` gives the parts that it had.
 */
export async function partsOfPacks(
  tx: Tx,
  org: string,
  codes: readonly string[],
  { ever = false }: { readonly ever?: boolean } = {},
): Promise<Parts> {
  const whole = codes.filter(isWhole)
  if (whole.length === 0) return new Map()
  const rows = await tx<{ pack_code: string; parts: string[] }[]>`
    select pack_code, array_agg(coalesce(piece_code, code) order by length(code), code) as parts from pack
     where org_id = ${org} and pack_code = any(${whole}) and (${ever} or opened_at is null) group by 1`
  return new Map(rows.map(row => [row.pack_code, row.parts]))
}

/** Refuses packs of pieces that were opened: their code names no goods any more. */
export async function refuseOpened(tx: Tx, org: string, codes: readonly string[]): Promise<void> {
  const whole = codes.filter(isWhole)
  if (whole.length === 0) return
  const [opened] = await tx<{ pack_code: string }[]>`
    select pack_code from pack where org_id = ${org} and pack_code = any(${whole}) and opened_at is not null limit 1`
  if (opened) throw new BusinessError('unitNotHere', `定数包${opened.pack_code}已拆包`)
}

/** A piece that is in a pack now, by its own code and by that of the pack. */
export type PackedPiece = { readonly piece_code: string; readonly pack_code: string; readonly lot_id: string }

/** The given pieces that are in packs now, each with its pack. */
export const packedPieces = (tx: Tx, org: string, codes: readonly string[]) => tx<PackedPiece[]>`
  select piece_code, pack_code, lot_id from pack
   where org_id = ${org} and piece_code = any(${codes as string[]}) and opened_at is null
   order by pack_code, length(code), code`
