import { isPartCode, packOf } from '#kernel/codes/pack-code.ts'
import { compare, multiply, plain, divide, wholePieces, type Decimal } from '#kernel/values/decimal.ts'
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

type Size = { readonly specification_id: string; readonly size: Decimal }

/** A ward that works by packs asks for whole ones. */
async function refuseLooseDemand({ tx, session, definition, doc }: ActionContext): Promise<void> {
  if (definition.kind !== 'requisition' || doc.claim_type !== 'pack') return
  const sizes = await tx<Size[]>`
    select t.specification_id, min(t.size) as size from pack_template t
     where t.org_id = ${session.org.id} and t.status = 'enabled' and t.pack_type = 'single'
       and (t.department_id is null or t.department_id = ${doc.department_inner_sn})
       and t.specification_id = any(${doc.lines.map(line => line.specification_sn!)}::bigint[])
     group by 1`
  for (const line of doc.lines) {
    const size = sizes.find(row => row.specification_id === line.specification_sn)?.size
    const isWhole =
      size !== undefined &&
      compare(multiply(size, String(wholePieces(divide(line.base_quantity, size, 6))), 3), line.base_quantity) === 0
    if (isWhole) continue
    const msg = size
      ? `第${line.line_no}行：按定数包申领，数量须为定数${plain(size)}的整数倍`
      : `第${line.line_no}行：该规格没有启用的定数包模板，请改用其他申领类型`
    throw new BusinessError('rule', msg, [{ field: 'quantity', line: line.line_no, msg }])
  }
}

export const wholePackChecks: readonly ActionCheck[] = [{ check: refuseTorn }, { check: refuseLooseDemand }]
