import { instant, today } from '#kernel/day.ts'
import type { Acting } from '#server/public/hooks.ts'
import { patchDocument } from '#server/public/documents.ts'
import { refuseClosedPeriod } from '#server/public/actions.ts'

/** The books of a closed month stay as they are: nothing is recorded into them, nor taken out. */
export async function refuseClosedVoucher({ tx, session, doc }: Pick<Acting, 'tx' | 'session' | 'doc'>): Promise<void> {
  await refuseClosedPeriod(tx, session.org.id, String(doc.accounting_period ?? today()))
}

/** A paper recorded without naming period and voucher goes under this month's draft voucher. */
export async function keepVoucher({ tx, session, doc }: Acting): Promise<void> {
  const month = today().slice(0, 7)
  await refuseClosedVoucher({ tx, session, doc })
  const values = {
    accounting_period: doc.accounting_period || month,
    recorded_by: session.userName,
    recorded_at: instant(),
    voucher_no: doc.voucher_no || `记-草稿${month.replace('-', '')}`,
  }
  await patchDocument(tx, session, doc, values, 'withAction')
}
