import { compare, type Decimal, isPositive, least, plain, subtract } from '#kernel/values/decimal.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { StockRow } from '#modules/hospital/ward/stock/department-inventory-calls.server.ts'
import { createSystemDraft, definitionOf, type LineInput, openSources } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Source = Awaited<ReturnType<typeof openSources>>[number]

/** Grants that may be looked through for one lot: the newest ones. */
const MOST_GRANTS = 50

type Lot = { readonly row: StockRow; readonly lot_id: string; readonly lot_no: string; readonly quantity: Decimal }

/** The lots behind the chosen rows; for a product all its lots there, those that expire first before the others. */
async function lotsOf(tx: Tx, org: string, rows: readonly StockRow[]): Promise<Lot[]> {
  const products = rows.filter(row => row.display === 'product')
  const [stores, goods] = [products.map(row => row.warehouse_id), products.map(row => row.specification_id)]
  const behind =
    products.length === 0
      ? []
      : await tx<
          { warehouse_id: string; specification_id: string; lot_id: string; lot_no: string; quantity: Decimal }[]
        >`
        select t.warehouse_id, t.specification_id, t.lot_id, t.lot_no, sum(t.quantity)::numeric(18,3) as quantity
          from department_stock t
         where t.org_id = ${org} and t.display = 'lot' and t.quantity > 0
           and (t.warehouse_id, t.specification_id) in (
             select * from unnest(${stores}::bigint[], ${goods}::bigint[]))
         group by 1, 2, 3, 4, t.expiry_date order by t.expiry_date nulls last, t.lot_id`
  return rows.flatMap((row): Lot[] =>
    row.display === 'product'
      ? behind
          .filter(lot => lot.warehouse_id === row.warehouse_id && lot.specification_id === row.specification_id)
          .map(({ lot_id, lot_no, quantity }) => ({ row, lot_id, lot_no, quantity }))
      : [{ row, lot_id: row.lot_id!, lot_no: row.lot_no ?? '', quantity: row.quantity }],
  )
}

/** The grants by which these lots came into these stores, the newest first. */
const grantsOf = (tx: Tx, org: string, lots: readonly Lot[]) => tx<{ sn: string }[]>`
  select d.sn from document d
   where d.org_id = ${org} and d.kind = 'grantOdo' and d.role = 'own' and d.red_of_id is null
     and d.state in ('reviewed', 'partial', 'completed')
     and exists (select 1 from unnest(
       ${lots.map(lot => lot.lot_id)}::bigint[], ${lots.map(lot => lot.row.warehouse_id)}::bigint[]) n(lot, store)
       join document_line l on l.org_id = d.org_id and l.document_id = d.id and l.lot_id = n.lot
      where n.store = d.to_warehouse_id)
   order by d.id desc limit ${MOST_GRANTS}`

/** The lines to return by grant, and the quantities of the chosen rows for which no grant was found. */
type Shared = { readonly lines: ReadonlyMap<string, LineInput[]>; readonly left: ReadonlyMap<StockRow, Decimal> }

/** Each lot is shared out over the grants by which it came, as far as they may still be returned. */
function shareOut(lots: readonly Lot[], sources: readonly Source[], wanted: ReadonlyMap<StockRow, Decimal>): Shared {
  const [lines, left] = [new Map<string, LineInput[]>(), new Map(wanted)]
  const rest = new Map(lots.map(lot => [lot, lot.quantity]))
  for (const { doc, lines: granted } of sources)
    for (const { line, left: returnable } of granted) {
      let open = returnable
      for (const lot of lots) {
        const code = lot.row.unit_code
        const isIts = doc.to_warehouse_model_inner_sn === lot.row.warehouse_id && line.lot_id === lot.lot_id
        if (!isIts || (code !== null && !line.unit_codes.includes(code))) continue
        const quantity = least(left.get(lot.row)!, open, rest.get(lot)!)
        if (!isPositive(quantity)) continue
        open = subtract(open, quantity, 3)
        left.set(lot.row, subtract(left.get(lot.row)!, quantity, 3))
        rest.set(lot, subtract(rest.get(lot)!, quantity, 3))
        const taken = { source_line_no: line.line_no, ...(code === null ? { quantity } : { unit_codes: [code] }) }
        lines.set(doc.sn, [...(lines.get(doc.sn) ?? []), taken])
      }
    }
  return { lines, left }
}

/**
 * 科室退库 of the stock of a ward: each lot goes back under the grants by which it came, the newest first. A draft for each
 * grant; goods that no grant brought cannot be returned here. Without a quantity all that may be returned is.
 */
export async function returnDrafts(
  tx: Tx,
  session: Session,
  rows: readonly StockRow[],
  each: Decimal | null,
  return_reason: string,
): Promise<string[]> {
  const lots = await lotsOf(tx, session.org.id, rows)
  const names = (await grantsOf(tx, session.org.id, lots)).map(({ sn }) => ({ sn, org: session.org.id }))
  const found = await openSources(tx, session, definitionOf('grantReturn'), names, { type: sourceTypes.GRANT })
  const sources = names.flatMap(({ sn }) => found.find(source => source.doc.sn === sn) ?? [])
  const { lines, left } = shareOut(lots, sources, new Map(rows.map(row => [row, each ?? row.quantity])))
  for (const [row, rest] of left) {
    const isStuck = each === null ? compare(rest, row.quantity) >= 0 : isPositive(rest)
    if (!isStuck) continue
    const lot = row.lot_no ? ` 批号${row.lot_no}` : ''
    throw new BusinessError('rule', `${row.name}${lot}没有可退的发放记录（差${plain(rest)}），请用调拨单或借用归还办理`)
  }
  const sns: string[] = []
  for (const [source_sn, some] of lines) {
    const header = { source_sn, source_type: sourceTypes.GRANT, return_reason }
    sns.push(await createSystemDraft(tx, session, 'grantReturn', header, some))
  }
  return sns
}
