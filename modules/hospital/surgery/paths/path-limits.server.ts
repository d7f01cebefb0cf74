import { byName, type StoredLine } from '#server/public/documents.ts'
import type { PlanContext } from '#modules/hospital/surgery/plans/plan-values.server.ts'
import { add, compare, type Decimal, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'

type Most = { readonly key: string; readonly name: string; readonly most: Decimal }

/** The key of the item on a line of a plan, whatever its kind: a specification, or a kit or set by its name. */
const keyOf = (line: Readonly<Record<string, unknown>>): string =>
  line.specification_sn
    ? `goods/${String(line.specification_sn)}`
    : `${String(line.category)}/${String(line.item_name)}`

/**
 * A plan by a path may have no more of anything than the path allows over all its stages, without a reason on the line.
 * Goods that the path does not name have no limit. The version by which the plan was made counts.
 */
export async function withinPath({ tx, session, doc }: PlanContext): Promise<void> {
  if (!doc.path_sn || session.org.type !== 'H') return
  const limits = await tx<Most[]>`
    select case when l.specification_id is not null then 'goods/' || l.specification_id
             else l.item_type || '/' || coalesce(k.name, t.name, l.item_name) end as key,
           coalesce(k.name, t.name, p.name || ' ' || s.name, l.item_name) as name,
           sum(l.max_quantity)::numeric(18,3) as most
      from operation_path_line l
      left join operation_kit k on k.org_id = l.org_id and k.id = l.operation_kit_id
      left join tools_template t on t.org_id = l.org_id and t.id = l.tools_template_id
      left join specification s on s.id = l.specification_id
      left join product p on p.id = s.product_id
     where l.org_id = ${session.org.id} and l.operation_path_id::text = ${String(doc.path_sn)}
     group by 1, 2`
  for (const [key, lines] of Map.groupBy<string, StoredLine>(doc.lines, line => keyOf(byName(line)))) {
    const limit = limits.find(each => each.key === key)
    if (!limit || lines.some(line => line.remark)) continue
    const asked = lines.reduce<Decimal>((total, line) => add(total, line.base_quantity, 3), '0.000')
    if (compare(asked, limit.most) <= 0) continue
    const msg = `${limit.name}需求数量超过路径上限${plain(limit.most)}，请在备注填写原因`
    throw new BusinessError('rule', msg, [{ field: 'remark', line: lines.at(-1)!.line_no, msg }])
  }
}
