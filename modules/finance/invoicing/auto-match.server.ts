import { compare, type Decimal, isPositive, sum } from '#kernel/values/decimal.ts'
import { documentOf } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { openOf, takesOf } from '#modules/finance/invoicing/invoice-matching.server.ts'
import type { OpenLine } from '#modules/finance/invoicing/reading/proposed-lines.ts'
import { buildDraft, saveDraft } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Body = Readonly<Record<string, unknown>>
export type OpenInvoiceLine = OpenLine & { readonly amount: Decimal }

/** A partner's lines that an invoice may cover, oldest first, each with its open amount. */
export const openInvoiceLines = (tx: Tx, session: Session, kind: string, partner: string) => tx<OpenInvoiceLine[]>`
  select x.sn, x.line_no, x.specification_sn, x.product_name, x.specification_name, x.left, x.tax_rate,
    case when x.left = x.base_quantity then x.taxed_amount
    else round(x.taxed_amount * x.left / x.base_quantity, 2) end::numeric(18,2) as amount
    from (select d.id, d.sn, d.business_date, l.line_no, l.base_quantity, l.taxed_amount, l.tax_rate,
                 l.specification_id as specification_sn, p.name as product_name, s.name as specification_name,
                 ${openOf(tx)}
            from document d
              join jsonb_to_recordset(${tx.json(takesOf(documentOf(kind)!))}) as k(kind text,
              purpose text, eaten jsonb, regime text, negates boolean) on k.kind = d.kind
            join document_line l on l.org_id = d.org_id and l.document_id = d.id
            join specification s on s.id = l.specification_id join product p on p.id = s.product_id
           where d.org_id = ${session.org.id} and d.role = 'own' and d.counterparty_id = ${partner}
             and d.state in ('reviewed', 'partial', 'completed') and d.red_of_id is null
             and (k.regime is null or d.regime = k.regime) and l.base_quantity > 0) x
   where x.left > 0 order by x.business_date, x.id, x.line_no limit 5000`

/** Receipts, oldest first, until they add up exactly; null where they do not. */
export function receiptsAddingUpTo(
  open: readonly OpenInvoiceLine[],
  wanted: Decimal,
): readonly OpenInvoiceLine[] | null {
  const taken: OpenInvoiceLine[] = []
  let total: Decimal = '0.00'
  for (const line of open) {
    if (compare(total, wanted) >= 0) break
    total = sum([total, line.amount], 2)
    taken.push(line)
  }
  return compare(total, wanted) === 0 ? taken : null
}

/**
 * 自动匹配: receipts, oldest first, until they add up to the invoice exactly; without an exact match nothing is
 * proposed.
 */
export async function autoMatch(tx: Tx, session: Session, body: Body): Promise<Record<string, unknown>> {
  const definition = documentOf('inboundInvoice')!
  const [partner, wanted] = [String(body.counterparty_sn ?? ''), String(body.invoice_amount ?? '0') as Decimal]
  if (!/^\d{1,18}$/.test(partner))
    throw new BusinessError('invalid', undefined, [{ field: 'counterparty_sn', msg: '请选择供应商' }])
  if (!isPositive(wanted))
    throw new BusinessError('invalid', undefined, [{ field: 'invoice_amount', msg: '请填写发票价税合计' }])
  const taken = receiptsAddingUpTo(await openInvoiceLines(tx, session, definition.kind, partner), wanted)
  if (taken === null) throw new BusinessError('rule', '未找到金额匹配的入库明细')
  const lines = taken.map(({ sn, line_no }) => ({ source_sn: sn, source_line_no: line_no }))
  const draft = await buildDraft(tx, session, definition, { ...body }, lines)
  return { sn: await saveDraft(tx, session, definition, draft, 'draft'), version: 1, line_count: lines.length }
}
