import { isPackCode } from '#kernel/codes/pack-code.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { submitAndReview } from '#server/public/actions.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { stateAhead } from '#server/public/documents.ts'
import { systemSession } from '#server/public/session.ts'

/** 领用即消耗: packs whose template says so are used up by the department in the action that receives them. */
export async function usePacksOnReceipt(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const packs = doc.lines.flatMap(line => line.unit_codes.filter(isPackCode))
  if (packs.length === 0) return
  const rows = await tx<{ code: string }[]>`
    select k.code from pack k join pack_template t on t.org_id = k.org_id and t.id = k.template_id
     where k.org_id = ${session.org.id} and k.code = any(${packs}) and t.used_on_receipt order by k.code`
  if (rows.length === 0) return
  await stateAhead(ctx, 'reviewed')
  const organisation = { ...systemSession(session.org), userName: session.userName }
  const sn = await createSystemDraft(
    tx,
    organisation,
    'departmentUse',
    {
      warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
      department_inner_sn: doc.department_inner_sn,
      use_type: 'pack_open',
      business_date: doc.business_date,
      remark: `领用即消耗：科室收货单${doc.sn}`,
    },
    [{ unit_codes: rows.map(row => row.code) }] as never,
  )
  await submitAndReview(tx, organisation, 'departmentUse', sn)
}
