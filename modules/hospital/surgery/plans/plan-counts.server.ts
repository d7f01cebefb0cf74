import { type Decimal, isPositive, least, subtract } from '#kernel/values/decimal.ts'
import type { PlanRow } from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import { patchLines } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Asked = {
  readonly line_no: number
  readonly specification_id: string
  readonly base_quantity: Decimal
  readonly prepared: Decimal
  readonly used: Decimal
}

/** Gives the lines of one specification their parts of what was sent or used, in order; the last has what is over. */
function parts(lines: readonly Asked[], whole: Decimal): readonly Decimal[] {
  let left = whole
  return lines.map((line, at) => {
    const part = at === lines.length - 1 ? left : least(left, line.base_quantity)
    left = subtract(left, part, 3)
    return isPositive(part) ? part : '0.000'
  })
}

/**
 * 已备数量 and 已使用数量 of a plan's lines, on our row of it: what the presales in force brought of each specification,
 * and what records of use in force used of that. Base units. The document that is being acted on has its
 * old state still: it `comes` into force, or `goes` out of it.
 */
export async function recountPlan(
  tx: Tx,
  session: Session,
  plan: PlanRow,
  { comes = null, goes = null }: { readonly comes?: string | null; readonly goes?: string | null } = {},
): Promise<void> {
  const sn = plan.sn.split('/')[0]!
  const partner = plan.role === 'own' ? plan.counterparty_id : plan.from_org_id
  const supplier = session.org.type === 'H' ? partner : session.org.id
  const rows = await tx<Asked[]>`
    select l.line_no, l.specification_id, l.base_quantity,
           coalesce((select sum(x.base_quantity) from document s
             join document_line x on x.org_id = s.org_id and x.document_id = s.id
            where s.org_id = l.org_id and s.kind = 'bonePresale' and s.fields->>'plan_sn' = ${sn}
              and s.from_org_id = ${supplier} and ${partner} in (s.counterparty_id, s.from_org_id)
              and (s.state in ('reviewed', 'partial', 'completed', 'stopped') or s.id = ${comes}::bigint)
              and s.id is distinct from ${goes}::bigint
              and x.specification_id = l.specification_id), 0)::numeric(18,3) as prepared,
           coalesce((select sum(x.base_quantity) from document s
             join document_line x on x.org_id = s.org_id and x.document_id = s.id
            where s.org_id = l.org_id and s.kind = 'surgeryUse' and x.fields->>'plan_sn' = ${sn}
              and x.owner_org_id = ${supplier} and ${partner} in (x.owner_org_id, s.from_org_id)
              and (s.state in ('reviewed', 'partial', 'completed', 'reversed') or s.id = ${comes}::bigint)
              and s.id is distinct from ${goes}::bigint
              and x.specification_id = l.specification_id), 0)::numeric(18,3) as used
      from document_line l
     where l.org_id = ${session.org.id} and l.document_id = ${plan.id} and l.specification_id is not null
     order by l.line_no`
  const patches = [...Map.groupBy(rows, row => row.specification_id).values()].flatMap(lines => {
    const [prepared, used] = [parts(lines, lines[0]!.prepared), parts(lines, lines[0]!.used)]
    return lines.map(({ line_no }, at) => ({
      line_no,
      values: { prepared_quantity: prepared[at]!, used_quantity: used[at]! },
    }))
  })
  await patchLines(tx, session, plan, patches, 'derived')
}
