import { isPartCode, packOf } from '#kernel/codes/pack-code.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'

type Sibling = { readonly pack_code: string; readonly code: string; readonly at: string }

/** A combined pack moves whole: what lies together of it is on one document. */
async function refuseTorn({ tx, session, definition, doc }: ActionContext): Promise<void> {
  const parts = doc.lines.flatMap(line => line.unit_codes.filter(isPartCode))
  if (parts.length === 0 || definition.posting.makesPacks) return
  const rows = await tx<Sibling[]>`
    select k.pack_code, k.code, concat_ws('/', u.status, u.warehouse_id, u.under) as at
      from pack k join unit u on u.lot_id = k.lot_id and u.id = k.unit_id
     where k.org_id = ${session.org.id} and k.pack_code = any(${[...new Set(parts.map(packOf))]})`
  const here = new Set(parts)
  for (const [pack, siblings] of Map.groupBy(rows, row => row.pack_code)) {
    const places = new Set(siblings.flatMap(row => (here.has(row.code) ? [row.at] : [])))
    const missing = siblings.filter(row => places.has(row.at) && !here.has(row.code))
    if (missing.length > 0)
      throw new BusinessError('rule', `组合包${pack}须整包扫描，缺少其中${missing.length}种产品，要单用请先拆包`)
  }
}

export const wholePackCheck: ActionCheck = { check: refuseTorn }
