import { BusinessError } from '#kernel/rules/errors.ts'
import type { TenantContext } from '#modules/hospital/surgery/bookings/booking.server.ts'
import { type PlanRow, planById } from '#modules/hospital/surgery/loans/plan-of-goods.server.ts'
import { runAction } from '#server/public/actions.ts'

/** The plan of a number as people type it: the hospital's that it sent us, or one that we wrote. */
async function planNamed({ tx, session }: TenantContext, typed: unknown): Promise<PlanRow> {
  const sn = String(typed ?? '').trim()
  const [row] = await tx<{ id: string }[]>`
    select d.id from document d
     where d.org_id = ${session.org.id} and d.kind = 'bonePlan' and d.sn = ${sn}
       and d.state in ('reviewed', 'partial') order by d.role, d.id desc limit 1`
  const plan = row && (await planById(tx, session.org.id, row.id))
  if (!plan) {
    const msg = `跟台计划单${sn}不存在或已结束，请核对单号`
    throw new BusinessError('notFound', msg, [{ field: 'plan_no', msg }])
  }
  if (plan.accept_state !== '2') {
    const msg = `跟台计划单${sn}尚未接单，不能分配`
    throw new BusinessError('rule', msg, [{ field: 'plan_no', msg }])
  }
  return plan
}

/** 分配手术: the kit or set is prepared for the plan beside what it has already, by the plan's own 备货. */
export async function assignToPlan(
  ctx: TenantContext,
  typed: unknown,
  add: { readonly kit?: string; readonly tools?: string },
): Promise<PlanRow> {
  const plan = await planNamed(ctx, typed)
  const kit_codes = [...new Set([...plan.kit_codes, ...(add.kit ? [add.kit] : [])])]
  const tools_codes = [...new Set([...plan.tools_codes, ...(add.tools ? [add.tools] : [])])]
  await runAction(ctx.tx, ctx.session, 'bonePlan', plan.sn, 'prepare', { kit_codes, tools_codes })
  return plan
}
