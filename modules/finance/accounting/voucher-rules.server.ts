import { byName, patchDocument } from '#server/public/documents.ts'
import { instant, today } from '#kernel/values/date.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { checkPeriodOpen } from '#server/public/actions.ts'

/** The books of a closed month do not change: nothing is recorded into them or removed from them. */
export async function refuseClosedVoucher({
  tx,
  session,
  doc,
}: Pick<ActionContext, 'tx' | 'session' | 'doc'>): Promise<void> {
  await checkPeriodOpen(tx, session.org.id, String(byName(doc).accounting_period ?? today()))
}

/** A document recorded without a period and voucher goes under this month's draft voucher. */
export async function keepVoucher({ tx, session, doc }: ActionContext): Promise<void> {
  const month = today().slice(0, 7)
  await refuseClosedVoucher({ tx, session, doc })
  const values = {
    accounting_period: byName(doc).accounting_period || month,
    recorded_by: session.userName,
    recorded_at: instant(),
    voucher_no: byName(doc).voucher_no || `记-草稿${month.replace('-', '')}`,
  }
  await patchDocument(tx, session, doc, values, 'withAction')
}
