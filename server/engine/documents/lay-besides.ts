import type { AnyDocument } from '#kernel/document.ts'
import { compare, type Decimal, isPositive, subtract } from '#kernel/decimal.ts'
import { composeDraft, storeDraft } from '#server/engine/documents/draft.ts'
import type { PaperMessage } from '#server/engine/documents/hand-over.ts'
import type { StoredDoc } from '#server/engine/documents/stored.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'
import type { JSONValue } from 'postgres'

type Line = Readonly<Record<string, unknown>>

/**
 * A paper that is made from our own papers, not from the copy: the supplier's invoice covers receipts of ours. Each line is
 * matched to the receipt of the delivery it names (or to our own paper, when the supplier billed that).
 */
export async function layBesides(
  tx: Tx,
  session: Session,
  target: AnyDocument,
  copy: StoredDoc,
  state: 'draft' | 'submitted',
  message: PaperMessage,
): Promise<{ kind: string; sn: string } | null> {
  const lines =
    target.measure === 'amount'
      ? await paidInvoices(tx, session, target, message)
      : await coveredReceipts(tx, session, target, message)
  if (lines.length === 0) return null
  const header: Record<string, unknown> = { counterparty_sn: copy.from_org_id, source_org_sn: null }
  for (const name of Object.keys(target.header))
    if (message.header[name] !== undefined && !(name in header)) header[name] = message.header[name]
  const draft = await composeDraft(tx, session, target, header, lines)
  return {
    kind: target.kind,
    sn: await storeDraft(
      tx,
      session,
      target,
      { ...draft, header: { ...draft.header, source_document_id: copy.id } },
      state,
    ),
  }
}

/** Each line of the supplier's invoice, matched to the receipt of the delivery it names, or to our own paper when he billed that. */
async function coveredReceipts(tx: Tx, session: Session, target: AnyDocument, message: PaperMessage): Promise<Line[]> {
  const org = session.org.id
  const named = message.lines.filter(line => line.from_sn && line.from_line_no !== null)
  const rows = await tx<
    { from_sn: string; from_line_no: number; sn: string; line_no: number; kind: string; base_quantity: string }[]
  >`
    select k.from_sn, k.from_line_no, d.sn, l.line_no, d.kind, l.base_quantity
      from jsonb_to_recordset(${tx.json(named.map(line => ({ from_sn: line.from_sn, from_org: line.from_org, from_line_no: line.from_line_no })) as JSONValue)}) as k(from_sn text, from_org bigint, from_line_no int)
      join document s on s.org_id = ${org} and s.sn = k.from_sn and s.from_org_id = k.from_org and s.state <> 'deleted'
      join document_line l on l.org_id = ${org} and ((l.document_id = s.id and l.line_no = k.from_line_no and s.role = 'own') or (l.delivery_document_id = s.id and l.delivery_line_no = k.from_line_no and s.role = 'counterparty'))
      join document d on d.org_id = l.org_id and d.id = l.document_id and d.role = 'own' and d.kind = any(${(target.takes ?? []).map(take => take.from)}) and d.state in ('reviewed', 'partial', 'completed')
     order by l.document_id`
  return named.flatMap(line => {
    const own = rows.find(row => row.from_sn === line.from_sn && row.from_line_no === line.from_line_no)
    const { quantity, price, tax_rate, taxed_amount } = line as unknown as Record<string, string>
    return own ? [{ source_sn: own.sn, source_line_no: own.line_no, quantity, price, tax_rate, taxed_amount }] : []
  })
}

/** Money paid under invoice numbers, spread over what is still open on our own invoices of those numbers. */
async function paidInvoices(tx: Tx, session: Session, target: AnyDocument, message: PaperMessage): Promise<Line[]> {
  const org = session.org.id
  const take = target.takes?.[0]
  const numbers = message.lines.flatMap(line => (typeof line.invoice_no === 'string' ? [line.invoice_no] : []))
  if (!take || numbers.length === 0) return []
  const open = await tx<{ sn: string; invoice_no: string; line_no: number; left: Decimal }[]>`
    select d.sn, d.fields->>'invoice_no' as invoice_no, l.line_no, (l.taxed_amount - coalesce(g.taken, 0))::numeric(18,2) as left
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no and g.purpose = ${take.purpose}
     where d.org_id = ${org} and d.kind = ${take.from} and d.role = 'own' and d.state in ('reviewed', 'partial') and d.fields->>'invoice_no' = any(${numbers})
     order by d.id, l.line_no`
  const rest = new Map(open.map(row => [row, row.left]))
  return message.lines.flatMap(line => {
    let amount = (line as Line).taxed_amount as Decimal
    return open
      .filter(row => row.invoice_no === line.invoice_no)
      .flatMap(row => {
        const left = rest.get(row)!
        if (!isPositive(left) || !isPositive(amount)) return []
        const part = compare(left, amount) < 0 ? left : amount
        rest.set(row, subtract(left, part, 2))
        amount = subtract(amount, part, 2)
        return [{ source_sn: row.sn, source_line_no: row.line_no, taxed_amount: part }]
      })
  })
}
