import { isPackCode, isPartCode, packOf } from '#kernel/codes/pack-code.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'
import { packedPieces } from '#server/public/stock.ts'

type Sibling = {
  readonly pack_code: string
  readonly code: string
  readonly at: string
  readonly is_piece: boolean
  readonly specification_id: string
}

/** A pack moves as a whole: all pieces still in it must be on one document. */
async function refuseTorn({ tx, session, definition, doc }: ActionContext): Promise<void> {
  if (definition.posting.makesPacks) return
  const codes = doc.lines.flatMap(line => line.unit_codes)
  if (codes.length === 0) return
  const pieces = codes.some(code => !isPackCode(code)) ? await packedPieces(tx, session.org.id, codes) : []
  const packs = new Set([...codes.filter(isPartCode).map(packOf), ...pieces.map(piece => piece.pack_code)])
  if (packs.size === 0) return
  const rows = await tx<Sibling[]>`
    select k.pack_code, coalesce(k.piece_code, k.code) as code, concat_ws('/', u.status, u.warehouse_id, u.under) as at,
           k.piece_code is not null as is_piece, u.specification_id
      from pack k join unit u on u.lot_id = k.lot_id and u.id = k.unit_id
     where k.org_id = ${session.org.id} and k.pack_code = any(${[...packs]}) and k.opened_at is null`
  const here = new Set(codes)
  for (const [pack, siblings] of Map.groupBy(rows, row => row.pack_code)) {
    const places = new Set(siblings.flatMap(row => (here.has(row.code) ? [row.at] : [])))
    const missing = siblings.filter(row => places.has(row.at) && !here.has(row.code))
    if (missing.length === 0) continue
    const isOneProduct = new Set(siblings.map(row => row.specification_id)).size === 1
    throw new BusinessError(
      'rule',
      isOneProduct && missing.every(row => row.is_piece)
        ? `定数包${pack}须整包扫描，缺少其中${missing.length}件，要单用请先拆包`
        : `组合包${pack}须整包扫描，缺少其中${new Set(missing.map(row => row.specification_id)).size}种产品，要单用请先拆包`,
    )
  }
}

export const wholePackCheck: ActionCheck = { check: refuseTorn }
