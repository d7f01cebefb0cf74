import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/public/session.ts'
import { lastPaid } from '#modules/finance/payments/due-columns.server.ts'
import type { Tx } from '#server/public/database.ts'

type Info = Readonly<Record<string, unknown>>
type Invoice = Readonly<Record<string, string | null>>

/** The invoices applied for, without duplicates: their receipts, the amount applied for, and the paid amount. */
const invoicesOf = (tx: Tx, session: Session, sn: string) => tx<Invoice[]>`
  select row_number() over (order by min(l.line_no))::int as line_no, i.sn as source_sn,
    i.fields->>'invoice_no' as invoice_no, i.fields->>'invoice_date' as invoice_date,
         v.receipts, v.untaxed as invoice_untaxed, v.tax as invoice_tax, i.taxed_amount::text as invoice_amount,
           sum(l.taxed_amount)::numeric(18,2)::text as taxed_amount,
         coalesce(p.taken, 0)::numeric(18,2)::text as invoice_paid,
           (i.taxed_amount - coalesce(p.taken, 0))::numeric(18,2)::text as invoice_unpaid
    from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
    join document i on i.org_id = l.org_id and i.id = l.source_document_id
    left join lateral (
      select string_agg(distinct x.source_sn, '、') as receipts, sum(x.untaxed_amount)::numeric(18,2)::text as untaxed,
        sum(x.tax_amount)::numeric(18,2)::text as tax
        from document_line x where x.org_id = i.org_id and x.document_id = i.id) v on true
    left join line_progress p on p.org_id = i.org_id and p.document_id = i.id and p.line_no = 0 and p.purpose = 'pay'
   where d.org_id = ${session.org.id} and d.kind = 'paymentApplication' and d.role = 'own' and d.sn = ${sn}
     and d.state <> 'deleted'
   group by i.id, i.sn, i.fields, i.taxed_amount, v.receipts, v.untaxed, v.tax, p.taken order by 1`

/**
 * The signed sheet must match the submitted application: an application whose invoices are not applied for yet is not
 * printed. An account missing in the supplier's master data is marked.
 */
export async function printedApplication(tx: Tx, session: Session, info: Info): Promise<Info> {
  const sn = String(info.sn)
  if (['draft', 'rejected', 'cancelled'].includes(String(info.state)))
    throw new BusinessError('rule', `付款申请单${sn}${info.state === 'cancelled' ? '已作废' : '尚未提交'}，不能打印`)
  const [file] = await tx<{ bank_account: string | null; last_paid_on: string | null }[]>`
    select o.bank_account, (${lastPaid(tx)})::text as last_paid_on
      from document d join organisation o on o.id = d.counterparty_id
     where d.org_id = ${session.org.id} and d.kind = 'paymentApplication' and d.role = 'own' and d.sn = ${sn}`
  const account = info.payee_account as string | null
  const isKnown = !account || account === file?.bank_account
  return {
    lines: await invoicesOf(tx, session, sn),
    payee_account: isKnown ? account : `${account}（账号待核实）`,
    last_paid_on: file?.last_paid_on ?? null,
  }
}
