import { today } from '#kernel/values/date.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * 账期: what was invoiced to these customers and is overdue, and since when; a red invoice counts with the blue one it
 * reverses. `customers` is a condition over the invoice `d`.
 */
export async function overdueReceivable(
  tx: Tx,
  org: string,
  customers: Fragment,
): Promise<{ owed: string; since: string } | undefined> {
  const [late] = await tx<{ owed: string; since: string }[]>`
    select sum(l.taxed_amount + l.rounding - coalesce(g.taken, 0))::numeric(18,2)::text as owed,
      min(u.day)::text as since
      from document d
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
      join lateral (select max(payment_days) as payment_days from org_relation
        where org_id = d.org_id and partner_id = d.counterparty_id and status = 'enabled') r on r.payment_days > 0
      left join document b on b.org_id = d.org_id and b.kind = d.kind and b.role = 'own'
        and b.fields->>'invoice_no' = d.fields->>'blue_invoice_no'
      cross join lateral (select (coalesce(b.reviewed_at,
        d.reviewed_at) at time zone 'Asia/Shanghai')::date + r.payment_days as day) u
      left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
        and g.purpose = 'pay'
     where d.org_id = ${org} and d.kind = 'outboundInvoice' and d.role = 'own' and d.state in ('reviewed', 'partial')
       and ${customers}
       and u.day < ${today()}::date
    having sum(l.taxed_amount + l.rounding - coalesce(g.taken, 0)) > 0`
  return late
}
