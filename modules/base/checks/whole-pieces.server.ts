import { plain } from '#kernel/values/decimal.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { isCountable } from '#modules/base/vocabulary/measured-units.ts'
import { mayBeExpired, type StoredLine } from '#server/public/documents.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'

const isWhole = ({ base_quantity }: StoredLine): boolean => /^-?\d+(\.0+)?$/.test(base_quantity)

/** Goods that are returned, destroyed or missing leave as they are kept, parts of pieces from older days as well. */
const leavesAsKept = ({ definition, doc }: ActionContext): boolean =>
  definition.posting.stockDirection === 'out' && mayBeExpired(definition, doc)

type Unit = { readonly specification_id: string; readonly base: string; readonly pack_id: string | null; pack: string }

async function refuseParts(ctx: ActionContext): Promise<void> {
  const { tx, doc, definition } = ctx
  if (definition.posting.stockDirection === 'none' || leavesAsKept(ctx)) return
  const parts = doc.lines.filter(line => line.specification_sn && !isWhole(line))
  if (parts.length === 0) return
  const units = await tx<Unit[]>`
    select s.id as specification_id, s.unit_name as base, k.id as pack_id, coalesce(k.name, s.unit_name) as pack
      from specification s left join pack_unit k on k.specification_id = s.id
        and k.id = any(${parts.flatMap(line => line.unit_inner_sn ?? [])}::bigint[])
     where s.id = any(${parts.map(line => line.specification_sn!)}::bigint[])`
  const problems = parts.flatMap((line): Problem[] => {
    const ofGoods = units.filter(unit => unit.specification_id === line.specification_sn)
    const unit = ofGoods.find(one => one.pack_id === line.unit_inner_sn) ?? ofGoods[0]
    if (!unit || !isCountable(unit.base)) return []
    const converted = line.unit_inner_sn
      ? `，${plain(line.quantity)}${unit.pack}折合${plain(line.base_quantity)}${unit.base}`
      : ''
    const msg = `第${line.line_no}行：【${line.product_name ?? ''}】按${unit.base}计数，数量须为整数${converted}`
    return [{ field: 'quantity', line: line.line_no, msg }]
  })
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
}

/** Units for counting need whole pieces, in whatever pack a line is written. Nothing is queried if all are whole. */
export const wholePiecesCheck: ActionCheck = { check: refuseParts }
