import type { Sql } from 'postgres'
import { markPlan, planById } from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { inOrganisation } from '#server/public/database.ts'

/** The time for which an urgent operation's goods may be at the hospital before they are counted. */
const HOURS = 24

/** 补验超时: urgent goods that nobody counted within a day are marked on the plans of both sides. */
export async function markLateCounts(app: Sql, owner: Sql): Promise<void> {
  const late = await owner<{ org_id: string; id: string }[]>`
    select p.org_id, p.id from document p
     where p.kind = 'bonePlan' and p.role = 'own' and p.state in ('reviewed', 'partial')
       and p.fields->>'surgery_type' = 'emergency' and coalesce(p.fields->>'pre_state', '1') = '1'
       and exists (
         select 1 from document c where c.org_id = p.org_id and c.kind = 'bonePresale' and c.role = 'counterparty'
           and c.from_org_id = p.counterparty_id and c.fields->>'plan_sn' = p.sn
           and c.reviewed_at < now() - make_interval(hours => ${HOURS}))
     order by p.org_id, p.id limit 200`
  for (const { org_id, id } of late) {
    const session = await systemSessionOf(owner, org_id)
    await inOrganisation(app, org_id, '0', async tx => {
      const plan = await planById(tx, org_id, id)
      if (plan?.pre_state !== '1') return
      const said = { label: '跟台货物补验超时', text: '急诊货物送达超过24小时尚未预验收' }
      await markPlan(tx, session, plan, { pre_state: '3' }, said)
    })
  }
}
