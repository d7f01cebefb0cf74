import { kindsOf, sourceKindsOf } from '#kernel/measure/feeding.ts'
import { compare, type Decimal, isPositive, subtract, sum } from '#kernel/values/decimal.ts'
import { documentOf } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { buildDraft, saveDraft } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Body = Readonly<Record<string, unknown>>
/** A line of an invoice or an opening, with its open amount. */
export type OpenLine = { id: string; sn: string; invoice_no: string | null; line_no: number; left: Decimal }

/** A customer's numbered invoice lines and opening lines that are not fully paid, oldest first. */
export const openLines = (tx: Tx, session: Session, customer: string) => tx<OpenLine[]>`
  select x.id, x.sn, x.invoice_no, x.line_no, x.left
    from (select d.id, d.sn, coalesce(l.fields->>'invoice_no', d.fields->>'invoice_no') as invoice_no,
      coalesce(l.fields->>'opened_on', d.fields->>'invoice_date', d.business_date::text) as day, l.line_no,
                 (l.taxed_amount + l.rounding + coalesce((select sum(r.taxed_amount) from document m
                   join document_line r on r.org_id = m.org_id and r.document_id = m.id
                    where m.org_id = l.org_id and m.red_of_id = l.document_id and r.line_no = l.line_no),
                      0) - coalesce(g.taken, 0))::numeric(18,2) as left
            from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
            left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id
              and g.line_no = l.line_no and g.purpose = 'pay'
           where d.org_id = ${session.org.id} and d.kind = any(${sourceKindsOf('receipt', 'pay')}) and d.role = 'own'
             and (d.kind <> all(${kindsOf('invoiced')}) or coalesce(d.fields->>'invoice_no', '') <> '')
             and d.counterparty_id = ${customer} and d.state in ('reviewed', 'partial') and d.red_of_id is null) x
   where x.left > 0 order by x.day, x.id, x.line_no limit 5000`

/** Allocates money to open lines in order: the amount of each line, and the rest. */
export function allocated(
  amount: Decimal,
  open: readonly OpenLine[],
): { taken: (OpenLine & { part: Decimal })[]; rest: Decimal } {
  let rest = amount
  const taken = open.flatMap(line => {
    if (!isPositive(rest)) return []
    const part = compare(line.left, rest) < 0 ? line.left : rest
    rest = subtract(rest, part, 2)
    return [{ ...line, part }]
  })
  return { taken, rest }
}

/** The invoices that the bank's remark names; otherwise one whose open amount equals the money; otherwise none. */
function meantBy(open: readonly OpenLine[], amount: Decimal, remark: string): readonly [string, readonly OpenLine[]] {
  const isNamed = ({ sn, invoice_no }: OpenLine) =>
    remark.includes(sn) || (invoice_no !== null && invoice_no.length >= 6 && remark.includes(invoice_no))
  const named = open.filter(isNamed)
  if (named.length > 0) return ['按附言中的发票号码', named]
  const exact = [...Map.groupBy(open, line => line.sn).values()].find(lines => {
    const left = sum(
      lines.map(line => line.left),
      2,
    )
    return compare(left, amount) === 0
  })
  return exact ? ['按金额相同的发票', exact] : ['按开票先后', []]
}

/**
 * 自动核销: proposes invoices for money received: those that its remark names, otherwise the one of exactly this amount,
 * then the customer's others, oldest first; the rest is an advance payment.
 */
export async function autoMatch(tx: Tx, session: Session, body: Body): Promise<Record<string, unknown>> {
  const definition = documentOf('receipt')!
  const { received_amount, bank_remark, ...header } = body
  const customer = String(body.counterparty_sn ?? '')
  const amount = String(received_amount ?? '0') as Decimal
  if (!/^\d{1,18}$/.test(customer))
    throw new BusinessError('invalid', undefined, [{ field: 'counterparty_sn', msg: '请选择客户' }])
  if (!isPositive(amount))
    throw new BusinessError('invalid', undefined, [{ field: 'received_amount', msg: '请填写收款金额' }])
  const open = await openLines(tx, session, customer)
  const [how, meant] = meantBy(open, amount, String(bank_remark ?? ''))
  const { taken, rest } = allocated(amount, [...meant, ...open.filter(line => !meant.includes(line))])
  const lines: Record<string, unknown>[] = taken.map(({ sn, line_no, part }) => ({
    source_sn: sn,
    source_line_no: line_no,
    taxed_amount: part,
  }))
  if (isPositive(rest)) lines.push({ taxed_amount: rest })
  const draft = await buildDraft(tx, session, definition, header, lines)
  const sn = await saveDraft(tx, session, definition, draft, 'draft')
  return { sn, version: 1, line_count: lines.length, result: `已${how}建议核销，请核对后提交` }
}
