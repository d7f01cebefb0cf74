import { type Decimal, isZero, negate } from '#kernel/values/decimal.ts'
import type { InvoiceSource } from '#modules/finance/invoicing/electronic/invoice-source.server.ts'
import type { BilledLine } from '#modules/finance/invoicing/electronic/sheet-lines.ts'
import { isOfSettlement } from '#modules/finance/invoicing/matched-lines.server.ts'
import { patchDocument } from '#server/public/documents.ts'
import type { Tx } from '#server/public/database.ts'

const KIND = 'outboundInvoice'

/** Lines of goods: their names, the tax class of our own goods, the short name of that class. */
const billed = (tx: Tx, org: string, document: string) => tx<BilledLine[]>`
  select l.line_no, p.name as item_name, coalesce(e.tax_code, '') as tax_code, '医疗器械' as class_name,
         s.name as item_model, coalesce(u.name, s.unit_name) as unit_name, l.quantity, l.price, l.untaxed_amount,
         l.tax_rate, l.tax_amount, case when d.fields->>'is_red' = 'true' then 0
           else coalesce((l.fields->>'discount_amount')::numeric, 0) end::numeric(18,2) as discount
    from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
    join specification s on s.id = l.specification_id join product p on p.id = s.product_id
    left join pack_unit u on u.id = l.unit_id
    left join dealer_product e on e.org_id = l.org_id and e.specification_id = l.specification_id
   where l.org_id = ${org} and l.document_id = ${document} order by l.line_no`

type Left = {
  readonly source_sn: string
  readonly source_line_no: number
  readonly left: Decimal
  readonly price: Decimal
}

/** The rest of each line of the blue document after its red ones. */
const leftOf = (tx: Tx, org: string, document: string, number: string) => tx<Left[]>`
  select l.source_sn, l.source_line_no, l.price,
         (l.quantity + coalesce((select sum(r.quantity) from document d
           join document_line r on r.org_id = d.org_id and r.document_id = d.id
          where d.org_id = l.org_id and d.kind = ${KIND} and d.role = 'own' and d.fields->>'blue_invoice_no' = ${number}
            and d.state not in ('cancelled', 'deleted') and r.source_sn = l.source_sn
            and r.source_line_no = l.source_line_no), 0))::numeric(18,3) as left
    from document_line l where l.org_id = ${org} and l.document_id = ${document} order by l.line_no`

/** 销项发票: over goods that were delivered or settled. */
export const goodsSource: InvoiceSource = {
  kind: KIND,
  sourceKind: doc => (isOfSettlement(doc) ? 'settlement' : 'outbound'),
  billed,
  codeAt: '【经营产品】中填写或按分类推荐',
  redLines: async (tx, org, { document, number }) =>
    (await leftOf(tx, org, document, number))
      .filter(line => !isZero(line.left))
      .map(({ source_sn, source_line_no, left, price }) => ({
        source_sn,
        source_line_no,
        quantity: negate(left),
        price,
      })),
  onIssued: async (tx, session, doc, isSent) => {
    if (isSent) await patchDocument(tx, session, doc, { check_state: 'sent', answer_reason: null }, 'derived')
  },
}
