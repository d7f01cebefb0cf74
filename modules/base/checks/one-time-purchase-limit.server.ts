import { add, compare, type Decimal, isPositive, plain, subtract } from '#kernel/values/decimal.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { StoredLine } from '#server/public/documents.ts'

/**
 * The quantity that may be bought of goods admitted for one purchase, and what is already bought: ordered, or
 * received without an order.
 */
type Limited = { readonly specification_id: string; readonly most: Decimal; readonly taken: Decimal }

const limitsOf = ({ tx, session, doc }: ActionContext, ids: readonly string[]) => tx<Limited[]>`
  select h.specification_id, h.admitted_limit as most, coalesce(sum(t.quantity), 0)::numeric(18,3) as taken
    from hospital_product h
    left join lateral (
      select case d.state when 'stopped' then coalesce(g.taken, 0)
        else greatest(l.base_quantity - coalesce(x.taken, 0), coalesce(g.taken, 0)) end as quantity
        from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
        left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
          and g.purpose = 'receive'
        left join line_progress x on x.org_id = l.org_id and x.document_id = l.document_id and x.line_no = l.line_no
          and x.purpose = 'stop'
       where l.org_id = h.org_id and l.specification_id = h.specification_id and d.role = 'own' and d.id <> ${doc.id}
         and d.business_date >= h.admitted_on
         and d.state in ('submitted', 'reviewed', 'partial', 'completed', 'stopped') and d.red_of_id is null
         and (d.kind = 'purchaseOrder' or d.kind = 'purchaseGrn' and l.order_document_id is null and not exists (
           select 1 from document o where o.org_id = l.org_id and o.id = l.source_document_id
             and o.kind = 'purchaseOrder'))) t on true
   where h.org_id = ${session.org.id} and h.specification_id = any(${ids as string[]}::bigint[])
     and h.admitted_limit is not null and h.admission_state = 'admitted'
   group by h.specification_id, h.admitted_limit`

/** 临时采购: goods admitted for one purchase may not be bought beyond its quantity. `counts`: the lines not counted yet. */
export async function refuseBeyondOnce(
  ctx: ActionContext,
  counts: (line: StoredLine) => boolean = () => true,
): Promise<void> {
  const lines = ctx.doc.lines.filter(line => line.specification_sn && counts(line))
  if (ctx.session.org.type !== 'H' || lines.length === 0) return
  const limits = new Map(
    (await limitsOf(ctx, [...new Set(lines.map(line => line.specification_sn!))])).map(row => [
      row.specification_id,
      row,
    ]),
  )
  const here = new Map<string, Decimal>()
  const problems = lines.flatMap((line): Problem[] => {
    const limit = limits.get(line.specification_sn!)
    if (!limit) return []
    const whole = add(here.get(line.specification_sn!) ?? '0', line.base_quantity, 3)
    here.set(line.specification_sn!, whole)
    if (compare(add(limit.taken, whole, 3), limit.most) <= 0) return []
    const left = subtract(limit.most, limit.taken, 3)
    const rest = isPositive(left) ? plain(left) : '0'
    const msg = `第${line.line_no}行：【${line.product_name ?? ''}】为临时采购，限量${plain(limit.most)}，还可采购${rest}`
    return [{ field: 'quantity', line: line.line_no, msg }]
  })
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
}
