import { absolute, compare, type Decimal, divide, multiply, subtract } from '#kernel/decimal.ts'
import { addDays, today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import { invoiceDifference } from '#modules/guards.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'

const LINE_TAX_TOLERANCE = '0.06'
const text = (acting: Acting, name: string): string | null => (acting.doc[name] as string | null | undefined) ?? null

/** An invoice number stands once in an organisation: code + number, or the 20 digits. */
async function refuseRepeatedNumber(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const number = text(acting, 'invoice_no')
  if (!number) return
  const [other] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = ${doc.kind} and role = 'own' and id <> ${doc.id} and state not in ('cancelled', 'deleted', 'draft') and red_of_id is null
       and fields->>'invoice_no' = ${number} and coalesce(fields->>'invoice_code', '') = ${text(acting, 'invoice_code') ?? ''} limit 1`
  if (other)
    throw new Refusal('duplicate', `发票号码${number}已存在（${other.sn}）`, [
      { field: 'invoice_no', msg: `发票号码${number}已存在（${other.sn}）` },
    ])
}

/** |invoice − Σ lines| within the organisation's tolerance; per line |tax − untaxed × rate| within 0.06. */
async function refuseDifference(acting: Acting): Promise<void> {
  const { doc, settings } = acting
  const difference = absolute(invoiceDifference(doc as never))
  if (compare(difference, settings.invoice_tolerance as Decimal) > 0)
    throw new Refusal(
      'rule',
      `发票金额与入库金额差异${Number(difference)}元，超出允许尾差${Number(settings.invoice_tolerance)}元`,
    )
  for (const line of doc.lines) {
    const expected = divide(multiply(line.untaxed_amount, String(line.tax_rate), 4), '100', 2)
    if (compare(absolute(subtract(line.tax_amount, expected, 2)), LINE_TAX_TOLERANCE) > 0)
      throw new Refusal('rule', `第${line.line_no}行：税额与税率不符，应约为${Number(expected)}元`, [
        { field: 'tax_amount', line: line.line_no, msg: `税额应约为${Number(expected)}元` },
      ])
  }
}

/** 到期日 = review day + the partner's 账期. */
async function keepDueDate(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const [relation] = await tx<{ payment_days: number }[]>`
    select payment_days from org_relation where org_id = ${session.org.id} and partner_id = ${doc.counterparty_sn} order by payment_days desc limit 1`
  if ('due_date' in acting.definition.header)
    await tx`
    update document set fields = fields || ${tx.json({ due_date: addDays(today(), relation?.payment_days ?? 0) })} where org_id = ${session.org.id} and id = ${doc.id}`
}

/** The settled uses behind an invoice of settlement receipts become 已开票 with it. */
async function moveSettled(acting: Acting, from: string, to: string): Promise<void> {
  const { tx, session, doc } = acting
  await tx`
    update settlement_line s set state = ${to}
      from document_line l join document_line g on g.org_id = l.org_id and g.document_id = l.source_document_id and g.line_no = l.source_line_no
     where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and s.org_id = ${session.org.id} and s.settlement_id = g.source_document_id and s.settlement_line_no = g.source_line_no and s.state = ${from}`
}

export const inboundInvoiceRules: DocumentRules = {
  kind: 'inboundInvoice',
  before: {
    submit: refuseRepeatedNumber,
    review: async acting => {
      await refuseRepeatedNumber(acting)
      await refuseDifference(acting)
    },
  },
  after: {
    review: async acting => {
      await keepDueDate(acting)
      await moveSettled(acting, 'received', 'invoiced')
    },
    unreview: acting => moveSettled(acting, 'invoiced', 'received'),
    redReverse: acting => moveSettled(acting, 'invoiced', 'received'),
  },
}

export const outboundInvoiceRules: DocumentRules = {
  kind: 'outboundInvoice',
  before: {
    submit: refuseRepeatedNumber,
    review: async acting => {
      await refuseRepeatedNumber(acting)
      await refuseDifference(acting)
    },
  },
}

/** Paid in full, the uses behind the invoice are done. */
async function movePaid(acting: Acting, from: string, to: string): Promise<void> {
  const { tx, session, doc } = acting
  await tx`
    update settlement_line s set state = ${to}
      from document_line p
      join document_line a on a.org_id = p.org_id and a.document_id = p.source_document_id and a.line_no = p.source_line_no
      join document i on i.org_id = a.org_id and i.id = a.source_document_id
      join document_line v on v.org_id = i.org_id and v.document_id = i.id
      join document_line g on g.org_id = v.org_id and g.document_id = v.source_document_id and g.line_no = v.source_line_no
     where p.org_id = ${session.org.id} and p.document_id = ${doc.id} and (i.state = 'completed' or ${to} <> 'paid')
       and s.org_id = ${session.org.id} and s.settlement_id = g.source_document_id and s.settlement_line_no = g.source_line_no and s.state = ${from}`
}

/** A bank's serial number pays once. */
async function refuseRepeatedTransfer(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const serial = text(acting, 'bank_serial_no')
  if (!serial) return
  const [other] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = ${doc.kind} and role = 'own' and id <> ${doc.id} and state not in ('cancelled', 'deleted') and red_of_id is null and fields->>'bank_serial_no' = ${serial} limit 1`
  if (other) throw new Refusal('duplicate', `银行流水号${serial}已使用（${other.sn}）`)
}

export const paymentRules: DocumentRules = {
  kind: 'payment',
  before: { submit: refuseRepeatedTransfer, pay: refuseRepeatedTransfer },
  after: {
    review: acting => movePaid(acting, 'invoiced', 'paid'),
    unreview: acting => movePaid(acting, 'paid', 'invoiced'),
    redReverse: acting => movePaid(acting, 'paid', 'invoiced'),
  },
}
