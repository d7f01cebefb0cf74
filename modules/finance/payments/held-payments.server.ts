import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

type Held = { invoice: string; grn: string; back: string }

/** Invoices over receipts that were partly returned after invoicing, while the red invoice has not arrived. */
const heldAmong = (tx: Tx, org: string, invoices: Fragment) => tx<Held[]>`
  select coalesce(i.fields->>'invoice_no', i.sn) as invoice, g.sn as grn, r.sn as back
    from document i
    join document_line v on v.org_id = i.org_id and v.document_id = i.id
    join document g on g.org_id = v.org_id and g.id = v.source_document_id and g.kind = 'purchaseGrn'
    join document_line b on b.org_id = v.org_id and b.source_document_id = v.source_document_id
      and b.source_line_no = v.source_line_no
    join document r on r.org_id = b.org_id and r.id = b.document_id and r.kind = 'purchaseReturn' and r.role = 'own'
      and r.red_of_id is null
   where i.org_id = ${org} and i.id in (${invoices}) and i.kind = 'inboundInvoice'
     and r.state in ('reviewed', 'partial', 'completed')
     and coalesce(i.fields->>'is_red', 'false') <> 'true'
     and b.base_quantity > coalesce((select sum(p.taken) from line_progress p
           where p.org_id = b.org_id and p.document_id = b.document_id and p.line_no = b.line_no
             and p.purpose in ('invoice', 'reverse')), 0)
   order by i.id, r.id limit 1`

function refuse([held]: readonly Held[], action: string): void {
  if (held)
    throw new BusinessError(
      'blocked',
      `发票${held.invoice}的入库单${held.grn}已退货（${held.back}），红字发票未到，暂不能${action}，请先登记红字发票`,
    )
}

/** 待红字: debt for returned goods cannot be applied for while their red invoice is outstanding. */
export async function refuseHeldApplication({ tx, session, doc }: ActionContext): Promise<void> {
  const ids = doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : []))
  refuse(await heldAmong(tx, session.org.id, tx`select unnest(${ids}::bigint[])`), '申请付款')
}

/** An invoice with held goods cannot be paid, even if it was applied for before the return. */
export async function refuseHeldPayment({ tx, session, doc }: ActionContext): Promise<void> {
  const invoices = tx`
    select a.source_document_id from document_line p
      join document_line a on a.org_id = p.org_id and a.document_id = p.source_document_id
        and a.line_no = p.source_line_no
     where p.org_id = ${session.org.id} and p.document_id = ${doc.id}`
  refuse(await heldAmong(tx, session.org.id, invoices), '付款')
}
