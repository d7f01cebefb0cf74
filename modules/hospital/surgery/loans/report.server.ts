import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { type PlanRow, planById } from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import { patchDocument } from '#server/public/documents.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The uses of our goods that the hospital recorded for a plan: pieces by code, and the total quantity. */
async function usedFor(tx: Tx, org: string, plan: PlanRow): Promise<{ codes: string[]; quantity: Decimal }> {
  const [row] = await tx<{ codes: string[]; quantity: Decimal }[]>`
    select coalesce(array_agg(c.code order by c.code) filter (where c.code is not null), '{}') as codes,
           coalesce((select sum(g.taken) from document p
             join line_progress g on g.org_id = p.org_id and g.document_id = p.id and g.line_no = 0
               and g.purpose = 'use'
            where p.org_id = ${org} and p.kind = 'bonePresale' and p.role = 'own'
              and p.source_document_id = ${plan.id}), 0)::numeric(18,3)::text as quantity
      from document u
      join document_line l on l.org_id = u.org_id and l.document_id = u.id and l.base_quantity > 0
        and l.fields->>'plan_sn' = ${plan.sn.split('/')[0]!}
      left join lateral unnest(l.unit_codes) c(code) on true
     where u.org_id = ${org} and u.kind = 'surgeryUse' and u.role = 'counterparty'
       and u.from_org_id = ${plan.from_org_id} and u.state <> 'cancelled'
       and not exists (select 1 from document r join document_line x on x.org_id = r.org_id and x.document_id = r.id
         where r.org_id = u.org_id and r.red_of_id = u.id and x.line_no = l.line_no and c.code = any(x.unit_codes))`
  return row!
}

const differs = '跟台登记与医院使用记录不一致'

/**
 * The technician's own report is kept beside the hospital's record, which alone counts for the sale; the plan shows
 * where they differ.
 */
export async function compareWithUse(tx: Tx, session: Session, plan: PlanRow): Promise<void> {
  if (plan.role === 'own') return
  const said = plan.reported_quantity !== null || plan.reported_codes.length > 0
  if (!said) return
  const used = await usedFor(tx, session.org.id, plan)
  if (plan.use_state !== '2') return
  const stray = plan.reported_codes.filter(code => !used.codes.includes(code))
  const missing = used.codes.filter(code => !plan.reported_codes.includes(code))
  const counted = plan.reported_quantity ?? String(plan.reported_codes.length)
  const same =
    compare(counted, used.quantity) === 0 && (plan.reported_codes.length === 0 || stray.length + missing.length === 0)
  const detail = [...stray.map(code => `仅跟台登记${code}`), ...missing.map(code => `仅医院登记${code}`)].join('、')
  const text = same ? '一致' : `${differs}${detail ? `：${detail}` : ''}`
  await patchDocument(tx, session, plan, { report_difference: text.slice(0, 300) }, 'derived')
}

/** 跟台登记 is compared at once, because the dialog's values are written on the plan only afterwards. */
export async function compareReport({ tx, session, doc, dialogValues }: ActionContext): Promise<void> {
  const plan = await planById(tx, session.org.id, doc.id)
  if (!plan) return
  const codes = (dialogValues?.reported_codes ?? plan.reported_codes) as readonly string[]
  const quantity = (dialogValues?.reported_quantity ?? plan.reported_quantity) as string | null
  await compareWithUse(tx, session, { ...plan, reported_codes: codes, reported_quantity: quantity })
}
