import type { ContextOf } from '#server/public/hooks.ts'
import { loadDocument, patchLines, type TypedDocument, type TypedLine } from '#server/public/documents.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { suppliersOf } from '#modules/goods/stock/balances/lot-suppliers.server.ts'
import { stopSale } from '#modules/goods/quality/stop-sale.doc.ts'
import type { Session } from '#server/public/session.ts'
import { pipelined, type Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof stopSale>
type Line = TypedLine<typeof stopSale>
type StopSale = TypedDocument<typeof stopSale>

/**
 * The available stock for each line, in its unit: on hand and not reserved by any document, of goods that may still be
 * blocked or released.
 */
const availableOf = (tx: Tx, org: string, doc: StopSale) => {
  const quality = doc.stop_type === 'release' ? 'stopped' : 'qualified'
  const goods = tx`x.org_id = l.org_id and x.warehouse_id = ${doc.warehouse_model_inner_sn}
    and x.specification_id = l.specification_id and x.quality_state = ${quality}
           and x.owner_id = coalesce(l.owner_org_id, l.org_id) and (l.lot_no is null or t.lot_no = l.lot_no)
             and (coalesce(l.location, '') = '' or x.location = l.location)`
  return tx<{ line_no: number; available: Decimal }[]>`
    select l.line_no,
      ((coalesce(b.quantity, 0) - coalesce(r.quantity, 0)) / coalesce(u.base_measure, 1))::numeric(18,3) as available
      from document_line l left join unit_tree u on u.id = l.unit_id
      left join lateral (select sum(x.quantity) as quantity from stock_balance x join lot t on t.id = x.lot_id
        where ${goods}) b on true
      left join lateral (select sum(x.quantity) as quantity from reservation x join lot t on t.id = x.lot_id
        where ${goods} and x.document_id <> l.document_id) r on true
     where l.org_id = ${org} and l.document_id = ${doc.id}`
}

/** Writes the supplier of the goods and the quantity on hand to the blocked lines. */
async function note(tx: Tx, session: Session, doc: StopSale): Promise<StopSale> {
  const org = session.org.id
  const [suppliers, counted] = await pipelined([suppliersOf(tx, session, doc.lines), availableOf(tx, org, doc)])
  const available = new Map(counted.map(row => [row.line_no, row.available]))
  const fieldsOf = ({ line_no }: Line) => ({
    supplier_sn: suppliers.get(line_no) ?? null,
    available_quantity: available.get(line_no) ?? null,
  })
  const facts = doc.lines.map(line => ({ line_no: line.line_no, values: fieldsOf(line) }))
  await patchLines(tx, session, doc, facts, 'withAction')
  return { ...doc, lines: doc.lines.map(line => ({ ...line, ...fieldsOf(line) })) }
}

/** After a draft is written, by its author or another action, so that readers see the quantity on hand. */
export async function noteWritten(tx: Tx, session: Session, sn: string): Promise<void> {
  await note(tx, session, await loadDocument(tx, session.org.id, stopSale, sn))
}

/** At submission: stores the stock of that moment. */
export const withStock = ({ tx, session, doc }: Context): Promise<StopSale> => note(tx, session, doc)
