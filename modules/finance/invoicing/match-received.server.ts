import { byName, loadDocument, type StoredDocument, type StoredLine } from '#server/public/documents.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { absolute, compare, type Decimal, isNegative, isZero, subtract } from '#kernel/values/decimal.ts'
import { buildDraft, saveDraft } from '#server/public/drafts.ts'
import type { DocumentMessage } from '#server/public/intercompany.ts'
import {
  amountsOf,
  type Coverable,
  covering,
  openOf,
  takesOf,
} from '#modules/finance/invoicing/invoice-matching.server.ts'
import { keepMatch } from '#modules/finance/invoicing/three-way-match.server.ts'
import { settingsFor } from '#server/public/settings.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Line = Readonly<Record<string, unknown>>

/**
 * A document made from our own documents, not from the copy: the supplier's invoice covers receipts of ours. Each
 * line is matched to the receipt of the delivery it names (or to our own document, if the supplier invoiced that).
 */
export async function draftMatchingDocument(
  tx: Tx,
  session: Session,
  target: AnyDocument,
  copy: StoredDocument,
  state: 'draft' | 'submitted',
  message: DocumentMessage,
  carries: Readonly<Record<string, string>> = {},
): Promise<{ kind: string; sn: string } | null> {
  const lines =
    target.lineRules.basis === 'amount'
      ? await paidInvoices(tx, session, target, copy, message)
      : await coveredReceipts(tx, session, target, message)
  if (lines.length === 0) return null
  const header: Record<string, unknown> = { counterparty_sn: copy.from_org_id, source_org_sn: null }
  for (const name of Object.keys(target.header))
    if (message.header[name] !== undefined && !(name in header)) header[name] = message.header[name]
  for (const [name, theirs] of Object.entries(carries)) header[name] = byName(copy)[theirs]
  const draft = await buildDraft(tx, session, target, header, lines)
  const named = { ...draft, header: { ...draft.header, source_document_id: copy.id } }
  const sn = await saveDraft(tx, session, target, named, state)
  if (target.kind === 'inboundInvoice' && state === 'submitted') await matchArrived(tx, session, target, sn)
  return { kind: target.kind, sn }
}

/** An invoice that waits for its check on arrival gets its differences at once. */
async function matchArrived(tx: Tx, session: Session, definition: AnyDocument, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, definition, sn)
  await keepMatch({ tx, session, definition, doc, settings: await settingsFor(tx, session.org.id) })
}

type Receipt = Coverable & { from_sn: string; from_line_no: number; sn: string; line_no: number }

/**
 * Our own lines behind each line of the supplier's invoice: receipts of the delivery it names, or our own document
 * if the supplier invoiced that.
 */
async function receiptsOf(tx: Tx, session: Session, target: AnyDocument, message: DocumentMessage): Promise<Receipt[]> {
  const org = session.org.id
  const named = message.lines.filter(line => line.from_sn && line.from_line_no !== null)
  const keys = named.map(({ from_sn, from_org, from_line_no }) => ({ from_sn, from_org, from_line_no }))
  return tx<Receipt[]>`
    select n.from_sn, n.from_line_no, d.sn, l.line_no, ${openOf(tx)}
      from jsonb_to_recordset(${tx.json(keys)}) as n(from_sn text, from_org bigint, from_line_no int)
      join document s on s.org_id = ${org} and s.sn = n.from_sn and s.from_org_id = n.from_org and s.state <> 'deleted'
      join document_line l on l.org_id = ${org}
        and ((l.document_id = s.id and l.line_no = n.from_line_no and s.role = 'own')
        or (l.delivery_document_id = s.id and l.delivery_line_no = n.from_line_no and s.role = 'counterparty'))
      join document d on d.org_id = l.org_id and d.id = l.document_id and d.role = 'own'
        and d.state in ('reviewed', 'partial', 'completed') and d.red_of_id is null
      join jsonb_to_recordset(${tx.json(takesOf(target))}) as k(kind text, purpose text,
        eaten jsonb, regime text, negates boolean) on k.kind = d.kind
     order by l.document_id, l.line_no`
}

/** The delivery named by a line of the invoice, from its copy here. */
async function deliveriesOf(tx: Tx, session: Session, message: DocumentMessage) {
  const sns = [...new Set(message.lines.flatMap(line => (line.from_sn ? [line.from_sn] : [])))]
  const rows = await tx<{ id: string; sn: string; from_org_id: string }[]>`
    select id, sn, from_org_id from document where org_id = ${session.org.id} and sn = any(${sns})
      and role = 'counterparty' and state <> 'cancelled'`
  return ({ from_sn, from_org, from_line_no }: DocumentMessage['lines'][number]) => {
    const copy = rows.find(row => row.sn === from_sn && row.from_org_id === from_org)
    return copy ? { delivery_document_id: copy.id, delivery_line_no: from_line_no } : {}
  }
}

/**
 * Spreads each line of the supplier's invoice over our receipts of it: a delivery may have arrived in several receipts.
 * Goods that are invoiced and not received yet get a line of their own, which is matched to its receipt when the
 * invoice is checked.
 */
async function coveredReceipts(
  tx: Tx,
  session: Session,
  target: AnyDocument,
  message: DocumentMessage,
): Promise<Line[]> {
  const rows = await receiptsOf(tx, session, target, message)
  const delivery = await deliveriesOf(tx, session, message)
  const cover = covering<Receipt>()
  return message.lines.flatMap((raw): Line[] => {
    const line = raw as unknown as StoredLine & DocumentMessage['lines'][number]
    const open = rows.filter(row => row.from_sn === line.from_sn && row.from_line_no === line.from_line_no)
    const parts = cover(line.base_quantity, open)
    const [only] = parts
    if (parts.length === 1 && only!.from) {
      const { quantity, price, tax_rate, taxed_amount, tax_amount } = line
      const { sn: source_sn, line_no: source_line_no } = only!.from
      return [{ source_sn, source_line_no, quantity, price, tax_rate, taxed_amount, tax_amount }]
    }
    const amounts = amountsOf(
      line,
      parts.map(({ part }) => part),
    )
    return parts.map(({ from }, at) => {
      const goods = from
        ? { source_sn: from.sn, source_line_no: from.line_no }
        : { specification_sn: line.specification_sn, lot_no: line.lot_no, lot_id: line.lot_id, ...delivery(line) }
      return { ...goods, ...amounts[at], tax_rate: line.tax_rate, unit_inner_sn: line.specification_sn }
    })
  })
}

/** Money paid under invoice numbers, spread over what is still open on our own invoices with those numbers. */
async function paidInvoices(
  tx: Tx,
  session: Session,
  target: AnyDocument,
  copy: StoredDocument,
  message: DocumentMessage,
): Promise<Line[]> {
  const org = session.org.id
  const take = target.sourcing.sources?.[0]
  // Lines that name a document of ours do not need to be matched by number.
  const ours = message.lines.filter(line => line.from_sn && line.from_org === org)
  if (ours.length > 0)
    return ours.map(line => ({
      source_sn: line.from_sn,
      source_line_no: line.from_line_no,
      taxed_amount: (line as Line).taxed_amount,
    }))
  const numbers = message.lines.flatMap(line => (typeof line.invoice_no === 'string' ? [line.invoice_no] : []))
  if (!take) return []
  const open = await tx<{ sn: string; invoice_no: string; line_no: number; left: Decimal }[]>`
    select d.sn, d.fields->>'invoice_no' as invoice_no, l.line_no,
      (l.taxed_amount + l.rounding + coalesce(v.amount, 0) - coalesce(g.taken, 0))::numeric(18,2) as left
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
        and g.purpose = ${take.purpose}
      left join lateral (select sum(r.taxed_amount) as amount from document m
        join document_line r on r.org_id = m.org_id and r.document_id = m.id
                          where m.org_id = l.org_id and m.red_of_id = l.document_id and r.line_no = l.line_no) v on true
     where d.org_id = ${org} and d.counterparty_id = ${copy.from_org_id} and d.kind = ${take.from} and d.role = 'own'
       and d.state in ('reviewed', 'partial') and d.fields->>'invoice_no' = any(${numbers})
     order by d.id, l.line_no`
  const rest = new Map(open.map(row => [row, row.left]))
  return message.lines.flatMap((line): Line[] => {
    let amount = (line as Line).taxed_amount as Decimal
    const parts = open
      .filter(row => row.invoice_no === line.invoice_no)
      .flatMap(row => {
        const left = rest.get(row)!
        const red = isNegative(amount)
        if (isZero(amount) || isNegative(left) !== red || isZero(left)) return []
        const part = compare(absolute(left), absolute(amount)) < 0 ? left : amount
        rest.set(row, subtract(left, part, 2))
        amount = subtract(amount, part, 2)
        return [{ source_sn: row.sn, source_line_no: row.line_no, taxed_amount: part }]
      })
    // Money for an unknown invoice counts as received nevertheless.
    return isZero(amount) ? parts : [...parts, { invoice_no: line.invoice_no ?? null, taxed_amount: amount }]
  })
}
