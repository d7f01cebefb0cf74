import type { Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Tx } from '#server/public/database.ts'
import type { Session } from '#server/public/session.ts'

/** A need of a path. `item_sn` is the key of the kit's or the set's template, or of the specification. */
export type PathLine = {
  readonly stage_no: number
  readonly stage: string
  readonly item_type: 'kit' | 'toolsKit' | 'goods'
  readonly item_sn: string | null
  readonly item_code: string | null
  readonly item_name: string
  readonly specification_sn: string | null
  readonly specification_name: string | null
  readonly size_range: string | null
  readonly quantity: Decimal
  readonly max_quantity: Decimal
  readonly is_required: boolean
  readonly substitute: string | null
}

/** The path itself: what a plan takes over from it beside its lines. */
export type AppliedPath = {
  readonly operation_path_sn: string
  readonly code: string
  readonly name: string
  readonly version_no: number
  readonly surgery_code: string | null
  readonly body_site: string | null
  readonly needs_side: boolean
  readonly lead_hours: number
  readonly duration_minutes: number | null
}

/** Only reviewed and enabled paths are applied. */
export async function appliedPath(tx: Tx, session: Session, pathSn: string): Promise<AppliedPath> {
  const [path] = await tx<(AppliedPath & { review_state: string; status: string; is_current: boolean })[]>`
    select id as operation_path_sn, code, name, version_no, surgery_code, body_site, needs_side, lead_hours,
           duration_minutes, review_state, status, is_current
      from operation_path where org_id = ${session.org.id} and id::text = ${pathSn}`
  if (!path) throw new BusinessError('notFound', '手术路径不存在或已被删除，请刷新后重新选择')
  if (path.review_state !== 'reviewed' || path.status !== 'enabled' || !path.is_current)
    throw new BusinessError('rule', `手术路径【${path.name}】未审核或未启用，不能套用`)
  return path
}

/** The lines that 套用手术路径 adds to a plan, in the order of its stages. Refuses a path that is not in force. */
export async function pathLines(tx: Tx, session: Session, pathSn: string): Promise<PathLine[]> {
  await appliedPath(tx, session, pathSn)
  return tx<PathLine[]>`
    select l.stage_no, l.stage, l.item_type, coalesce(l.operation_kit_id, l.tools_template_id, l.specification_id)
             as item_sn,
           coalesce(k.code, t.code, l.item_code) as item_code,
           coalesce(k.name, t.name, p.name, l.item_name) as item_name,
           l.specification_id as specification_sn, s.name as specification_name, l.size_range, l.quantity,
           l.max_quantity, l.is_required, l.substitute
      from operation_path_line l
      left join operation_kit k on k.org_id = l.org_id and k.id = l.operation_kit_id
      left join tools_template t on t.org_id = l.org_id and t.id = l.tools_template_id
      left join specification s on s.id = l.specification_id
      left join product p on p.id = s.product_id
     where l.org_id = ${session.org.id} and l.operation_path_id = ${pathSn}
     order by l.stage_no, l.id`
}
