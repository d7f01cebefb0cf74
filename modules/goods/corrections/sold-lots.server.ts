import { type Line, type Reading, refuseLine } from '#modules/goods/corrections/values.server.ts'
import type { StoredLine } from '#server/public/documents.ts'
import { compare, type Decimal, isPositive, plain, share, subtract } from '#kernel/values/decimal.ts'
import { isConsigned, isOtherLot, type StockPart } from '#modules/goods/corrections/correction-posting.ts'

type Named = (reading: Reading, lines: readonly Line[], dated?: boolean) => Promise<Line[]>
type Part = { readonly key: string; readonly quantity: Decimal; readonly value: Decimal }

/** The value of each line's goods when they left, or their lot's value in the memo of goods at the customer. */
async function worthOf({ tx, session, doc }: Reading): Promise<(line: StoredLine) => Decimal> {
  const org = session.org.id
  const sources = doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : []))
  const rows = isConsigned(doc)
    ? await tx<Part[]>`
        select lot_id::text as key, quantity, value from consigned_out
         where org_id = ${org} and customer_id = ${doc.counterparty_sn}
           and lot_id = any(${doc.lines.map(line => line.lot_id!)}::bigint[]) for update`
    : await tx<Part[]>`
        select concat(document_id, '/', line_no) as key, -sum(quantity)::numeric(18,3) as quantity,
          -sum(value)::numeric(18,2) as value from stock_move
         where org_id = ${org} and document_id = any(${sources}::bigint[]) and step = 'ship' and quantity < 0
           group by 1`
  return line => {
    const key = isConsigned(doc) ? line.lot_id : `${line.source_document_id}/${line.source_line_no}`
    const row = rows.find(each => each.key === key)
    return row && isPositive(row.quantity) ? share(row.value, line.base_quantity, row.quantity, 2) : '0.00'
  }
}

type Free = { readonly location: string; readonly lot_id: string; free: Decimal }

/** The available stock of the right lots in the warehouse that the sale left from. */
async function freeOf({ tx, session, doc }: Reading, lots: readonly string[]): Promise<Free[]> {
  return tx<Free[]>`
    select b.location, b.lot_id, (b.quantity - coalesce((
             select sum(r.quantity) from reservation r
              where r.org_id = b.org_id and r.document_id <> ${doc.id} and r.warehouse_id = b.warehouse_id
                and r.location = b.location and r.specification_id = b.specification_id
                and r.lot_id = b.lot_id and r.owner_id = b.owner_id and r.quality_state = b.quality_state),
                  0))::numeric(18,3) as free
      from stock_balance b
     where b.org_id = ${session.org.id} and b.warehouse_id = ${doc.warehouse_model_inner_sn}
       and b.lot_id = any(${lots as string[]}::bigint[])
       and b.owner_id = b.org_id and b.quality_state = 'qualified'
     order by b.location, b.lot_id for update of b`
}

function taken(line: Line, warehouse: string, stock: Free[]): StockPart[] {
  const parts: StockPart[] = []
  let left = line.base_quantity
  for (const row of stock.filter(each => each.lot_id === line.new_lot_id)) {
    const quantity = compare(left, row.free) < 0 ? left : row.free
    if (!isPositive(quantity)) continue
    parts.push({ warehouse, location: row.location, quality: 'qualified', quantity })
    row.free = subtract(row.free, quantity, 3)
    left = subtract(left, quantity, 3)
  }
  if (isPositive(left))
    throw refuseLine(
      line,
      `批号${String(line.new_lot_no)}在发货仓库可用${plain(subtract(line.base_quantity, left, 3))}，不足` +
        `${plain(line.base_quantity)}；库存确无该批号的，请选择“批号录入错误”`,
    )
  return parts
}

/**
 * Lines of a sale with a wrong lot: the goods that come back have the value at which they left, and the goods that left
 * instead must be available in that warehouse.
 */
export async function ofSale(reading: Reading, named: Named): Promise<Line[]> {
  const { doc } = reading
  const isShipped = doc.lot_cause === 'shipped'
  const lines = await named(reading, doc.lines, !isShipped)
  if (!isShipped) return lines
  const worth = await worthOf(reading)
  const lots = lines.flatMap(line => line.new_lot_id ?? [])
  const stock = await freeOf(reading, lots)
  return lines.map(line =>
    isOtherLot(line)
      ? { ...line, home_value: worth(line), stored: taken(line, doc.warehouse_model_inner_sn!, stock) }
      : line,
  )
}
