import { BusinessError } from '#kernel/rules/errors.ts'
import type { Tx } from '#server/database/transaction.ts'

type Short = {
  readonly lot_no: string
  readonly product_name: string
  readonly named: number
  readonly packed: boolean
}

/**
 * Pieces with a code leave by it. Once these lots were booked without scanning, no store may have less of a lot on hand
 * than coded pieces there; issuing more than the uncoded ones requires scanning. The quantity that a `leaving` document
 * reserved counts as gone. One statement, regardless of the number of lots.
 */
export async function checkUnserialisedStock(
  tx: Tx,
  org: string,
  lots: readonly string[],
  leaving: string | null = null,
): Promise<void> {
  if (lots.length === 0) return
  const [short] = await tx<Short[]>`
    with named as (
      select u.warehouse_id, u.lot_id, u.owner_id, sum(u.quantity) as named from unit u
       where u.lot_id = any(${[...new Set(lots)]}::bigint[]) and u.id > 0 and u.status = 'in_stock'
         and u.holder_org_id = ${org} group by 1, 2, 3),
    held as (
      select n.warehouse_id, n.lot_id, n.named - coalesce(r.coded, 0) as named,
             coalesce((select sum(b.quantity) from stock_balance b
                        where b.org_id = ${org} and b.warehouse_id = n.warehouse_id and b.lot_id = n.lot_id
                          and b.owner_id = n.owner_id), 0) - coalesce(r.quantity, 0) as quantity
        from named n
        left join (select warehouse_id, lot_id, owner_id, sum(quantity) as quantity,
                          sum(coalesce(coded_quantity, cardinality(unit_codes))) as coded
                     from reservation where org_id = ${org} and document_id = ${leaving} group by 1, 2, 3) r
          on r.warehouse_id = n.warehouse_id and r.lot_id = n.lot_id and r.owner_id = n.owner_id)
    select t.lot_no, p.name as product_name, floor(h.named)::int as named,
      exists (select 1 from unit u where u.lot_id = h.lot_id and u.holder_org_id = ${org}
        and u.status = 'in_stock' and u.quantity > 1) as packed
      from held h join lot t on t.id = h.lot_id join specification s on s.id = t.specification_id
        join product p on p.id = s.product_id
     where h.named > h.quantity order by t.id limit 1`
  if (short)
    throw new BusinessError(
      'rule',
      short.packed
        ? `【${short.product_name}】批号${short.lot_no}有${short.named}件在定数包内或已贴院内码，` +
            '请扫描定数包码、院内码，或先拆包'
        : `【${short.product_name}】批号${short.lot_no}有${short.named}件已贴院内码，请扫描院内码，未贴码的数量不足`,
    )
}
