import { derived, documents } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { runAction } from '#server/public/actions.ts'
import type { Tx } from '#server/public/database.ts'
import type { ListColumn } from '#server/public/documents.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import type { Fragment } from '#server/public/records.ts'
import { inNameOf } from '#server/public/session.ts'
import type { paymentApplication } from '#modules/finance/payments/payment-application.doc.ts'

/** Kinds that are made from applications and recorded under a voucher: payments, used advances, fees kept back. */
const recordedKinds = derived(() =>
  documents()
    .filter(({ actions, sourcing }) => 'record' in actions && sourcing.sources?.some(isOfApplication))
    .map(({ kind }) => kind),
)
const isOfApplication = ({ from }: { readonly from: string }): boolean => from === 'paymentApplication'

/** What was booked from the application `d` and is in force. */
const booked = (tx: Tx, what: Fragment): Fragment => tx`
  select ${what} from document b
   where b.org_id = d.org_id and b.role = 'own' and b.red_of_id is null and b.kind = any(${recordedKinds()})
     and b.state in ('reviewed', 'partial', 'completed')
     and exists (select 1 from document_line l
                  where l.org_id = b.org_id and l.document_id = b.id and l.source_document_id = d.id)`

/** 记账状态 of an application: of all that was booked from it. */
export const bookedState: ListColumn = tx =>
  tx`(${booked(
    tx,
    tx`case count(*) filter (where b.fields->>'record_state' = '2')
       when 0 then '1' when count(*) then '3' else '2' end`,
  )})`

/** 标记记账: all that was booked from the application and is not recorded yet goes under one voucher. */
export async function recordBooked({ tx, session, doc }: ContextOf<typeof paymentApplication>): Promise<void> {
  const open = await tx<{ kind: string; sn: string }[]>`
    select b.kind, b.sn from document d cross join lateral (
      ${booked(tx, tx`b.kind, b.sn, b.id, coalesce(b.fields->>'record_state', '1') as record_state`)}) b
     where d.org_id = ${session.org.id} and d.id = ${doc.id} and b.record_state <> '2' order by b.id`
  if (open.length === 0) throw new BusinessError('rule', `付款申请单${doc.sn}没有未记账的付款`)
  const { accounting_period, voucher_no } = doc
  for (const { kind, sn } of open)
    await runAction(tx, inNameOf(session), kind, sn, 'record', { accounting_period, voucher_no })
}
