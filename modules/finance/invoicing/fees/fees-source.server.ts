import { byName, loadDocuments, patchDocument, type StoredDocument } from '#server/public/documents.ts'
import { compare, type Decimal, isZero, negate } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { answerOwner } from '#modules/finance/accounting/answer-owner.server.ts'
import type { InvoiceSource } from '#modules/finance/invoicing/electronic/invoice-source.server.ts'
import type { BilledLine } from '#modules/finance/invoicing/electronic/sheet-lines.ts'
import type { Tx } from '#server/public/database.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { sendUpdate } from '#server/public/intercompany.ts'
import type { Session } from '#server/public/session.ts'

const KIND = 'chargeInvoice'

/** A fee is one line an item and rate, whatever settlements it was computed from: without quantity and price. */
const billed = (tx: Tx, org: string, document: string) => tx<BilledLine[]>`
  select min(l.line_no) as line_no, l.fields->>'item_name' as item_name,
         coalesce(l.fields->>'tax_code', '') as tax_code,
         l.fields->>'item_name' as class_name, null as item_model, null as unit_name, '0' as quantity, '0' as price,
         sum(l.untaxed_amount)::numeric(18,2) as untaxed_amount, l.tax_rate,
         sum(l.tax_amount)::numeric(18,2) as tax_amount, '0' as discount
    from document_line l where l.org_id = ${org} and l.document_id = ${document}
   group by l.fields->>'item_name', l.fields->>'tax_code', l.tax_rate order by 1`

type Left = {
  readonly source_sn: string
  readonly source_line_no: number
  readonly item_name: string
  readonly tax_code: string | null
  readonly tax_rate: number
  readonly left: Decimal
}

/** The rest of each line of a blue invoice after its red ones. */
const leftOf = (tx: Tx, org: string, document: string, number: string) => tx<Left[]>`
  select l.source_sn, l.source_line_no, l.fields->>'item_name' as item_name, l.fields->>'tax_code' as tax_code,
         l.tax_rate, (l.taxed_amount + coalesce((select sum(r.taxed_amount) from document d
           join document_line r on r.org_id = d.org_id and r.document_id = d.id
          where d.org_id = l.org_id and d.kind = ${KIND} and d.role = 'own' and d.fields->>'blue_invoice_no' = ${number}
            and d.state not in ('cancelled', 'deleted') and r.source_sn = l.source_sn
            and r.source_line_no = l.source_line_no), 0))::numeric(18,2) as left
    from document_line l where l.org_id = ${org} and l.document_id = ${document} order by l.line_no`

/**
 * A red document frees the fee to be invoiced again; until its red invoice has a number, the blue one is valid, and the
 * same fee would have two invoices.
 */
async function refuseBesideRed({ tx, session, doc }: ActionContext): Promise<void> {
  if (byName(doc).is_red === true) return
  const [red] = await tx<{ bill: string; sn: string }[]>`
    select l.source_sn as bill, d.sn from document_line n
      join document_line l on l.org_id = n.org_id and l.source_document_id = n.source_document_id
      join document d on d.org_id = l.org_id and d.id = l.document_id and d.kind = ${KIND} and d.role = 'own'
     where n.org_id = ${session.org.id} and n.document_id = ${doc.id} and d.fields->>'is_red' = 'true'
       and d.state = 'reviewed' and d.fields->>'issue_state' is distinct from 'issued'
     order by d.id limit 1`
  if (red)
    throw new BusinessError('rule', `服务费单${red.bill}的红字发票${red.sn}尚未开具，请先在【百望电子发票】完成红冲`)
}

type Invoiced = {
  readonly id: string
  readonly numbers: string | null
  readonly issued_on: string | null
  readonly covered: Decimal
  readonly whole: Decimal
}

/**
 * The extent to which bills are covered by numbered invoices: the numbers that no red invoice took back, and their last
 * day.
 */
const invoicedOf = (tx: Tx, org: string, document: string) => tx<Invoiced[]>`
  select b.id, b.taxed_amount as whole,
         string_agg(distinct i.fields->>'invoice_no', '、') filter (where i.fields->>'issue_state' = 'issued'
           and coalesce(i.fields->>'is_red', 'false') = 'false') as numbers,
         max(i.fields->>'invoice_date') filter (where i.fields->>'issue_state' = 'issued'
           and coalesce(i.fields->>'is_red', 'false') = 'false') as issued_on,
         coalesce(sum(l.taxed_amount) filter (where i.fields->>'issue_state' in ('issued', 'reversed')), 0)
           ::numeric(18,2) as covered
    from document b
    join document_line l on l.org_id = b.org_id and l.source_document_id = b.id
    join document i on i.org_id = l.org_id and i.id = l.document_id and i.kind = ${KIND} and i.role = 'own'
      and i.state = 'reviewed'
   where b.org_id = ${org} and b.id in (select x.source_document_id from document_line x
     where x.org_id = ${org} and x.document_id = ${document})
   group by b.id, b.taxed_amount order by b.id`

/**
 * Writes number and day of the invoice to the bill, at both organisations that see it: its payer, and the hospital it
 * was made for.
 */
async function writeBills(tx: Tx, session: Session, doc: StoredDocument): Promise<void> {
  const org = session.org.id
  const invoiced = await invoicedOf(tx, org, doc.id)
  const bills = await loadDocuments(
    tx,
    org,
    invoiced.map(({ id }) => id),
  )
  for (const { id, numbers, issued_on, covered, whole } of invoiced) {
    const bill = bills.find(each => each.id === id)!
    const isWhole = compare(covered, whole) >= 0
    const invoice_request = isWhole ? 'issued' : isZero(covered) ? 'none' : 'part'
    const sets = { invoice_no: numbers, invoice_date: issued_on, invoice_request }
    await patchDocument(tx, session, bill, sets, 'derived')
    const [label, text] = numbers
      ? ['收费单位已开票', `发票号码${numbers}`]
      : ['收费单位已红冲发票', '服务费发票已红冲']
    await sendUpdate(tx, session, bill, [bill.counterparty_sn!], { label: label!, text: text!, sets })
    await answerOwner(tx, session, bill, { action: 'collectorInvoice', label: label!, reason: text!, sets })
  }
}

/** 服务费发票: over a service fee, by its collector. */
export const feesSource: InvoiceSource = {
  kind: KIND,
  sourceKind: () => 'fee',
  billed,
  codeAt: '【百望电子发票】的通道设置中填写服务费税收分类编码，再重新保存本单',
  refuse: refuseBesideRed,
  redLines: async (tx, org, { document, number }) =>
    (await leftOf(tx, org, document, number))
      .filter(line => !isZero(line.left))
      .map(({ left, ...line }) => ({ ...line, taxed_amount: negate(left) })),
  onIssued: writeBills,
  onReversed: writeBills,
}
