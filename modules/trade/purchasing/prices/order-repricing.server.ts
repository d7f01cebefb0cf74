import { type Amounts, lineAmounts, type TaxRate } from '#kernel/values/tax-amounts.ts'
import { type Decimal, plain } from '#kernel/values/decimal.ts'
import { leftOfLine, patchLinesOfMany, sumLines, writeHistory } from '#server/public/documents.ts'
import { sendUpdate } from '#server/public/intercompany.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Priced = {
  readonly document_id: string
  readonly sn: string
  readonly supplier_id: string
  readonly state: string
  readonly by_sn: string
  readonly line_no: number
  readonly quantity: Decimal
  readonly price: Decimal
  readonly tax_rate: TaxRate
}
type Rewritten = Priced & Amounts

/**
 * 是否调整未执行订单: lines of reviewed orders with an open quantity get the new price of their supplier; received goods keep
 * the price of their receipt. The copies at the suppliers follow, and the suppliers are notified.
 */
export async function rewriteOrders(tx: Tx, session: Session, history: readonly string[]): Promise<void> {
  const org = session.org.id
  const priced = await tx<Priced[]>`
    with changed as (
      select distinct on (h.specification_id, h.supplier_id)
             h.specification_id, h.supplier_id, h.new_price, h.document_sn
        from price_history h
        join document p on p.org_id = h.org_id and p.id = h.document_id and p.fields->>'rewrites_orders' = 'true'
       where h.org_id = ${org} and h.id = any(${history as string[]}::bigint[]) and h.price_kind = 'purchase'
         and h.new_price is not null and h.supplier_id is not null
       order by h.specification_id, h.supplier_id, h.valid_from desc, h.id desc),
    priced as (
      select l.document_id, l.line_no, d.sn, d.counterparty_id as supplier_id, d.state, c.document_sn as by_sn,
             l.tax_rate, l.quantity, l.price as former,
             round(c.new_price * l.base_quantity / l.quantity, 4) as price
        from changed c join document_line l on l.org_id = ${org} and l.specification_id = c.specification_id
        join document d on d.org_id = l.org_id and d.id = l.document_id and d.kind = 'purchaseOrder'
         and d.role = 'own' and d.state in ('reviewed', 'partial') and d.counterparty_id = c.supplier_id
       where l.quantity > 0 and ${leftOfLine(tx, 'receive')} > 0
       for update of l)
    select * from priced where price <> former order by document_id, line_no`
  if (priced.length === 0) return
  const lines = priced.map(line => ({ ...line, ...lineAmounts(line.price, line.quantity, line.tax_rate) }))
  const patches = lines.map(({ document_id: id, line_no, price, untaxed_amount, tax_amount, taxed_amount }) => ({
    id,
    line_no,
    values: { price, untaxed_amount, tax_amount, taxed_amount },
  }))
  const orders = Map.groupBy(lines, line => line.document_id)
  // The history of each order names its own lines; it is written where the supplier is notified.
  await patchLinesOfMany(tx, session, 'purchaseOrder', patches, 'withAction')
  await sumLines(tx, session, [...orders.keys()], 'version')
  for (const [id, changed] of orders) await notify(tx, session, id, changed)
}

/** The order's history names the document that changed it; the supplier sees the new prices on its copy. */
async function notify(tx: Tx, session: Session, id: string, lines: readonly Rewritten[]): Promise<void> {
  const { sn, supplier_id, state, by_sn } = lines[0]!
  const said = lines.map(line => `第${line.line_no}行${plain(line.price)}元`).join('、')
  const text = `调价单${by_sn}调整未入库部分的单价：${said}`
  await writeHistory(tx, session, id, { action: 'reprice', label: '调价', from: state, to: state, reason: text })
  await sendUpdate(tx, session, { id, kind: 'purchaseOrder', sn }, [supplier_id], {
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
