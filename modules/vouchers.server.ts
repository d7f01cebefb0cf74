import { instant, today } from '#kernel/day.ts'
import type { Acting } from '#server/public/hooks.ts'
import { refuseClosedPeriod } from '#server/public/actions.ts'

/** The books of a closed month stay as they are: nothing is recorded into them, nor taken out. */
export async function refuseClosedVoucher({ tx, session, doc }: Pick<Acting, 'tx' | 'session' | 'doc'>): Promise<void> {
  await refuseClosedPeriod(tx, session.org.id, String(doc.accounting_period ?? today()))
}

/** A paper recorded without naming period and voucher goes under this month's draft voucher. */
export async function keepVoucher({ tx, session, doc }: Acting): Promise<void> {
  const month = today().slice(0, 7)
  await refuseClosedVoucher({ tx, session, doc })
  await tx`
    update document set fields = fields || jsonb_build_object(
             'accounting_period', coalesce(nullif(fields->>'accounting_period', ''), ${month}::text),
             'recorded_by', ${session.userName}::text, 'recorded_at', ${instant()}::text,
             'voucher_no', coalesce(nullif(fields->>'voucher_no', ''), ${`记-草稿${month.replace('-', '')}`}::text))
     where org_id = ${session.org.id} and id = ${doc.id}`
}
