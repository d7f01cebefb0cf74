import { wardReceipt } from '#modules/hospital/ward/receiving/ward-receipt.doc.ts'
import { type ActionContext, atReviewOnly, documentHooks } from '#server/public/hooks.ts'
import { clock } from '#kernel/values/date.ts'
import { BusinessError, ConfirmationRequired } from '#kernel/rules/errors.ts'
import { noteUsedOnReceipt, refuseUsed, useOnReceipt } from '#modules/goods/packs/use-on-receipt.server.ts'
import { noteReceived } from '#modules/hospital/ward/requisition/requisition-deadline.server.ts'
import { submitAndReview } from '#server/public/actions.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { inOrganisation } from '#server/public/database.ts'
import type { Sql } from 'postgres'

/** Only users of the receiving ward may enter what it received. */
async function refuseOthers({ session, doc }: ActionContext): Promise<void> {
  if (session.warehouses === 'all' || session.warehouses.has(doc.warehouse_model_inner_sn ?? '')) return
  throw new BusinessError('forbidden', '没有操作权限：请由收货科室确认收货')
}

export const wardReceiptRules = documentHooks(wardReceipt, {
  afterSave: noteUsedOnReceipt,
  validate: {
    review: atReviewOnly(refuseOthers),
    unreview: [refuseOthers, refuseUsed],
    redReverse: refuseUsed,
  },
  afterAction: {
    review: async ctx => {
      await noteReceived(ctx)
      await useOnReceipt(ctx)
    },
  },
})

/**
 * 发放后自动收货: receives automatically the goods that a ward left waiting longer than its organisation allows. Receipts that
 * need a person's decision keep waiting.
 */
export async function receiveByTime(owner: Sql): Promise<number> {
  const waiting = await owner<{ org_id: string; sn: string }[]>`
    select d.org_id, d.sn from hospital_rule r join document d on d.org_id = r.org_id
     where r.name = 'autoReceipt' and r.status = 'enabled' and r.figure::int > 0
       and d.kind = 'wardReceipt' and d.role = 'own' and d.state = 'submitted'
       and coalesce(d.submitted_at,
         d.created_at) + make_interval(hours => r.figure::int) <= ${(clock.at ?? new Date()).toISOString()}
     order by d.org_id, d.id limit 500`
  let received = 0
  for (const { org_id, sn } of waiting) {
    const organisation = { ...(await systemSessionOf(owner, org_id)), userName: '系统' }
    try {
      await inOrganisation(owner, org_id, '0', tx => submitAndReview(tx, organisation, 'wardReceipt', sn))
      received++
    } catch (error) {
      if (!(error instanceof BusinessError || error instanceof ConfirmationRequired)) throw error
    }
  }
  return received
}
