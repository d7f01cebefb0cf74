import { compare, type Decimal, isPositive, plain, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/**
 * Goods in transit to another organisation are for that organisation to receive or send away: only goods that it
 * refused may be brought back or booked as lost. Only that organisation counts what it receives and refuses, so that
 * the two sides never decide about the same piece.
 */
export async function refuseKept({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const sources = [...new Set(doc.lines.flatMap(line => line.source_document_id ?? []))]
  const free = await tx<{ id: string; line_no: number; left: Decimal }[]>`
    select d.id, l.line_no,
           (coalesce(sum(g.taken) filter (where g.purpose = 'refuse'),
             0) - coalesce(sum(g.taken) filter (where g.purpose = 'return'), 0))::numeric(18,3) as left
      from document d
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
     where d.org_id = ${session.org.id} and d.id = any(${sources}::bigint[]) and d.kind = 'transfer'
       and d.fields->>'transfer_type' = 'across'
     group by d.id, l.line_no`
  for (const { id, line_no, left } of free) {
    const mine = doc.lines.filter(line => line.source_document_id === id && line.source_line_no === line_no)
    const asked = sum(
      mine.map(line => line.base_quantity),
      3,
    )
    if (!isPositive(asked) || compare(asked, left) <= 0) continue
    const msg = `第${mine[0]!.line_no}行：调入机构拒收而未处理的数量为${plain(left)}，超出部分请由对方先拒收，不能${spec.label}`
    throw new BusinessError('blocked', msg, [{ line: mine[0]!.line_no, field: 'quantity', msg }])
  }
}
