import { compare, type Decimal, isPositive, least, subtract, sum } from '#kernel/values/decimal.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { createAndReview } from '#server/public/actions.ts'
import type { Tx } from '#server/public/database.ts'
import { loadDocument, patchDocument, type StoredDocument } from '#server/public/documents.ts'
import { definitionOf } from '#server/public/drafts.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { type Session, systemSession } from '#server/public/session.ts'

/** A possible deduction of an application: money paid in advance, or a service fee to be kept back. */
type Held = { readonly sn: string; readonly line_no: number; readonly left: Decimal }

/** The rest of a supplier's prepayments that is available for any invoice of the supplier, the oldest first. */
const prepaid = (tx: Tx, org: string, supplier: string) => tx<Held[]>`
  select d.sn, l.line_no, (l.taxed_amount - coalesce(sum(p.taken), 0))::numeric(18,2) as left
    from document d
    join document_line l on l.org_id = d.org_id and l.document_id = d.id
    left join line_progress p on p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
      and p.purpose in ('offset', 'refund')
   where d.org_id = ${org} and d.kind = 'prepayment' and d.role = 'own' and d.state = 'completed'
     and d.counterparty_id = ${supplier} and coalesce(d.fields->>'order_sn', '') = ''
   group by d.id, d.sn, l.line_no, l.taxed_amount having l.taxed_amount > coalesce(sum(p.taken), 0)
   order by d.id, l.line_no`

/** A supplier's open service fees, agreed to, that are to be kept back from payments; the oldest first. */
const fees = (tx: Tx, org: string, supplier: string) => tx<Held[]>`
  select d.sn, l.line_no, (l.taxed_amount - coalesce(p.taken, 0))::numeric(18,2) as left
    from document d
    join document_line l on l.org_id = d.org_id and l.document_id = d.id
    left join line_progress p on p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
      and p.purpose = 'pay'
   where d.org_id = ${org} and d.kind = 'serviceCharge' and d.role = 'own' and d.state in ('reviewed', 'partial')
     and d.counterparty_id = ${supplier} and d.fields->>'collect_method' = 'deduct'
     and d.fields->>'confirm_state' in ('2', '4') and l.taxed_amount > coalesce(p.taken, 0)
   order by d.id, l.line_no`

/**
 * The deductions of an application in the order in which they are offered: the field, the amounts available, and the
 * document that the review books, with the line fields that name the source.
 */
const reductions = [
  {
    field: 'offset_amount',
    held: prepaid,
    books: 'prepaymentOffset',
    from: { sn: 'advance_sn', line: 'advance_line_no' },
    beyond: (left: Decimal) => `预付核销金额超过该供应商可核销的预付余额${left}`,
  },
  {
    field: 'deduction_amount',
    held: fees,
    books: 'chargeDeduction',
    from: { sn: 'charge_sn', line: 'charge_line_no' },
    beyond: (left: Decimal) => `服务费扣款超过该供应商未结的服务费${left}`,
  },
] as const

const wholeOf = (rows: readonly Held[]): Decimal =>
  sum(
    rows.map(row => row.left),
    2,
  )
const amountOf = (doc: Readonly<Record<string, unknown>>, name: string): Decimal =>
  (doc[name] as Decimal | null | undefined) ?? ('0' as Decimal)
const notBelowZero = (amount: Decimal): Decimal => (isPositive(amount) ? amount : ('0.00' as Decimal))

/** What is kept back of the payment for good (扣款); the payment lets it off as an allowance. */
const WITHHELD = 'withheld_amount'

/** The amount left to be transferred: the amount applied for, less advances, fees kept back and what is withheld. */
const netOf = (doc: Readonly<Record<string, unknown>> & { readonly taxed_amount: Decimal }): Decimal =>
  [...reductions.map(({ field }) => field), WITHHELD].reduce(
    (net, field) => subtract(net, amountOf(doc, field), 2),
    doc.taxed_amount,
  )

/**
 * 本次申请付款 follows from the lines. A new application offers the supplier's advances, then the supplier's service fees; at
 * least one cent stays to be paid, because an application for nothing is useless.
 */
export async function keepNet(tx: Tx, session: Session, sn: string): Promise<void> {
  const doc = await loadDocument(tx, session.org.id, definitionOf('paymentApplication'), sn)
  if (!doc.counterparty_sn) return
  const isNew = (doc.offset_amount ?? null) === null && (doc.deduction_amount ?? null) === null
  const offered = isNew && isPositive(doc.taxed_amount) ? await offerOf(tx, session, doc) : {}
  const pay_amount = netOf({ ...doc, ...offered })
  await patchDocument(tx, session, doc, { ...offered, pay_amount }, 'derived')
}

async function offerOf(tx: Tx, session: Session, doc: StoredDocument) {
  const [org, supplier] = [session.org.id, doc.counterparty_sn!]
  const most = notBelowZero(subtract(subtract(doc.taxed_amount, amountOf(doc, WITHHELD), 2), '0.01', 2))
  const offset_amount = notBelowZero(least(wholeOf(await prepaid(tx, org, supplier)), most))
  const rest = notBelowZero(subtract(most, offset_amount, 2))
  const kept = session.org.type === 'H' ? wholeOf(await fees(tx, org, supplier)) : ('0.00' as Decimal)
  return { offset_amount, deduction_amount: least(kept, rest) }
}

/**
 * The deductions may exceed neither the available advances and fees nor, in sum, the amount applied for: something must
 * be left to pay.
 */
export async function refuseWrongNet({ tx, session, doc }: ActionContext): Promise<void> {
  const refuse = (field: string, msg: string): never => {
    throw new BusinessError('rule', msg, [{ field, msg }])
  }
  for (const { field, held, beyond } of reductions) {
    const amount = amountOf(doc, field)
    if (!isPositive(amount)) continue
    const left = wholeOf(await held(tx, session.org.id, doc.counterparty_sn!))
    if (compare(amount, left) > 0) refuse(field, beyond(left))
  }
  if (!isPositive(netOf(doc))) refuse('pay_amount', '本次申请付款必须大于0')
}

type Part = { readonly source_line_no: number; readonly held: Held; readonly amount: Decimal }

/**
 * Spreads an amount over the lines of an application in order, and over the rows it is taken from. `used`: the amount
 * taken of each line before. Refuses nothing: there is enough of both.
 */
function spreadOver(
  lines: StoredDocument['lines'],
  held: readonly Held[],
  amount: Decimal,
  used: Map<number, Decimal>,
): readonly Part[] {
  const left = held.map(row => ({ row, left: row.left }))
  const parts: Part[] = []
  let open = amount
  for (const { line_no, taxed_amount } of lines) {
    let room = subtract(taxed_amount, used.get(line_no) ?? '0', 2)
    for (const from of left) {
      const part = least(room, open, from.left)
      if (!isPositive(part)) continue
      parts.push({ source_line_no: line_no, held: from.row, amount: part })
      from.left = subtract(from.left, part, 2)
      room = subtract(room, part, 2)
      open = subtract(open, part, 2)
      used.set(line_no, subtract(taxed_amount, room, 2))
    }
  }
  return parts
}

/** At the review, advances settle the invoices, and fees are kept back: each by its own document. */
export async function bookNet({ tx, session, doc }: ActionContext): Promise<void> {
  const by = { ...systemSession(session.org), userName: session.userName }
  const header = {
    source_sn: doc.sn,
    source_type: sourceTypes.PAYMENT_APPLICATION,
    remark: `付款申请单${doc.sn}`,
  }
  const used = new Map<number, Decimal>()
  for (const { field, held, books, from } of reductions) {
    const amount = amountOf(doc, field)
    if (!isPositive(amount)) continue
    const parts = spreadOver(doc.lines, await held(tx, session.org.id, doc.counterparty_sn!), amount, used)
    const lines = parts.map(part => ({
      source_line_no: part.source_line_no,
      taxed_amount: part.amount,
      [from.sn]: part.held.sn,
      [from.line]: part.held.line_no,
    }))
    await createAndReview(tx, by, books, header, lines)
  }
}
