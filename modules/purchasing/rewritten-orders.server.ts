import { tellHolders } from '#server/public/intercompany.ts'
import { writeHistory } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Rewritten = {
  document_id: string
  sn: string
  supplier_id: string
  state: string
  by_sn: string
  line_no: number
  price: string
  tax_rate: number
  untaxed_amount: string
  tax_amount: string
  taxed_amount: string
}

/**
 * 是否调整未执行订单: lines of reviewed orders of which something is still to come take the new price of their supplier; what was
 * received keeps the price of its receipt. The copies at the suppliers follow, and they are told.
 */
export async function rewriteOrders(tx: Tx, session: Session, history: readonly string[]): Promise<void> {
  const org = session.org.id
  const lines = await tx<Rewritten[]>`
    with changed as (
      select distinct on (h.specification_id, h.supplier_id) h.specification_id, h.supplier_id, h.new_price, h.document_sn
        from price_history h join document p on p.org_id = h.org_id and p.id = h.document_id and p.fields->>'rewrites_orders' = 'true'
       where h.org_id = ${org} and h.id = any(${history as string[]}::bigint[]) and h.price_kind = 'purchase' and h.new_price is not null and h.supplier_id is not null
       order by h.specification_id, h.supplier_id, h.valid_from desc, h.id desc),
    priced as (
      select l.document_id, l.line_no, d.sn, d.counterparty_id as supplier_id, d.state, c.document_sn as by_sn, l.tax_rate, l.quantity,
             round(c.new_price * l.base_quantity / l.quantity, 4) as price
        from changed c join document_line l on l.org_id = ${org} and l.specification_id = c.specification_id
        join document d on d.org_id = l.org_id and d.id = l.document_id and d.kind = 'purchaseOrder' and d.role = 'own' and d.state in ('reviewed', 'partial') and d.counterparty_id = c.supplier_id
        left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no and g.purpose = 'receive'
       where l.quantity > 0 and coalesce(g.taken, 0) < l.base_quantity),
    summed as (select *, round(price * quantity, 2) as taxed from priced)
    update document_line l set price = s.price, taxed_amount = s.taxed, untaxed_amount = round(s.taxed * 100 / (100 + s.tax_rate), 2), tax_amount = s.taxed - round(s.taxed * 100 / (100 + s.tax_rate), 2)
      from summed s where l.org_id = ${org} and l.document_id = s.document_id and l.line_no = s.line_no and l.price <> s.price
    returning l.document_id, s.sn, s.supplier_id, s.state, s.by_sn, l.line_no, l.price, l.tax_rate, l.untaxed_amount, l.tax_amount, l.taxed_amount`
  if (lines.length === 0) return
  const orders = Map.groupBy(lines, line => line.document_id)
  await tx`
    update document d set untaxed_amount = s.untaxed, tax_amount = s.tax, taxed_amount = s.taxed, version = d.version + 1
      from (select document_id, sum(untaxed_amount) as untaxed, sum(tax_amount) as tax, sum(taxed_amount) as taxed from document_line
             where org_id = ${org} and document_id = any(${[...orders.keys()]}::bigint[]) group by 1) s
     where d.org_id = ${org} and d.id = s.document_id`
  for (const [id, changed] of orders) await tell(tx, session, id, changed)
}

/** The order's history says which paper changed it; the supplier reads the new prices on his copy. */
async function tell(tx: Tx, session: Session, id: string, lines: readonly Rewritten[]): Promise<void> {
  const { sn, supplier_id, state, by_sn } = lines[0]!
  const said = lines.map(line => `第${line.line_no}行${Number(line.price)}元`).join('、')
  const text = `调价单${by_sn}调整未入库部分的单价：${said}`
  await writeHistory(tx, session, id, { action: 'reprice', label: '调价', from: state, to: state, reason: text })
  await tellHolders(tx, session, { id, kind: 'purchaseOrder', sn }, [supplier_id], {
    label: '采购订单已调价',
    text,
    sets: {},
    binds: true,
    lines: lines.map(({ line_no, price, tax_rate, untaxed_amount, tax_amount, taxed_amount }) => ({
      line_no,
      fields: {},
      terms: { price, tax_rate, untaxed_amount, tax_amount, taxed_amount },
    })),
  })
}
