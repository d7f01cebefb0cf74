import { BusinessError } from '#kernel/rules/errors.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** True if the plan `p` still holds its lines of requisitions. */
const isLive = (tx: Tx): Fragment => tx`p.state not in ('deleted', 'cancelled', 'stopped', 'reversed')`

/** True if line `l` of the requisition `d` is in a plan. */
export const standsInPlan = (tx: Tx): Fragment => tx`
  exists (select 1 from planned_request_line c join document p on p.org_id = c.org_id and p.id = c.plan_id
    where c.org_id = d.org_id and c.request_id = d.id and c.request_line_no = l.line_no and ${isLive(tx)})`

/**
 * Binds the lines of requisitions that a saved plan names to this plan; lines that it names no longer are free again.
 * Refuses a line that is in another plan, even one saved at the same moment: the key of the table prevents it.
 */
export async function keepRequests(tx: Tx, session: Session, plan: string): Promise<void> {
  const org = session.org.id
  const named = tx`
    select l.line_no, l.source_document_id, l.source_line_no from document_line l
      join document r on r.org_id = l.org_id and r.id = l.source_document_id and r.kind = 'requisition'
     where l.org_id = ${org} and l.document_id = ${plan} and l.source_line_no is not null`
  await tx`
    delete from planned_request_line c where c.org_id = ${org} and c.plan_id = ${plan}
      and (c.request_id, c.request_line_no) not in (select n.source_document_id, n.source_line_no from (${named}) n)`
  await tx`
    insert into planned_request_line as c (org_id, request_id, request_line_no, plan_id)
    select distinct ${org}::bigint, n.source_document_id, n.source_line_no, ${plan}::bigint from (${named}) n
     order by 2, 3
        on conflict on constraint planned_request_line_pk do update set plan_id = excluded.plan_id
     where not exists (select 1 from document p where p.org_id = c.org_id and p.id = c.plan_id and ${isLive(tx)})`
  const [other] = await tx<{ line_no: number; request: string; request_line_no: number; plan: string }[]>`
    select n.line_no, r.sn as request, n.source_line_no as request_line_no, p.sn as plan from (${named}) n
      join planned_request_line c on c.org_id = ${org} and c.request_id = n.source_document_id
        and c.request_line_no = n.source_line_no and c.plan_id <> ${plan}
      join document p on p.org_id = c.org_id and p.id = c.plan_id
      join document r on r.org_id = c.org_id and r.id = c.request_id
     order by n.line_no limit 1`
  if (!other) return
  const msg =
    `第${other.line_no}行：申领单${other.request}第${other.request_line_no}行已列入采购计划${other.plan}，` +
    '请先删除该计划中的明细或终止该计划'
  throw new BusinessError('duplicate', msg, [{ line: other.line_no, field: 'source_sn', msg }])
}
