import { today } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { Tx } from '#server/public/database.ts'

export type Loose = {
  readonly specification_id: string
  readonly lot_id: string
  readonly lot_no: string
  readonly owner_id: string
  readonly location: string
  readonly product_name: string
  readonly specification_name: string
  /** Base units that no document holds and no code names. */
  readonly free: Decimal
}

/**
 * Qualified goods in a store that may be packed, the earliest expiry first: without what documents hold and what is
 * coded or packed already. `except` is a document whose own reservation does not count.
 */
export const looseStock = (
  tx: Tx,
  org: string,
  warehouse: unknown,
  specifications: readonly string[],
  except: string | null = null,
) => tx<Loose[]>`
  with held as (
    select r.lot_id, r.owner_id, r.location, sum(r.quantity) as quantity,
           sum(coalesce(r.coded_quantity, cardinality(r.unit_codes))) as coded
      from reservation r
     where r.org_id = ${org} and r.warehouse_id = ${String(warehouse)} and r.quality_state = 'qualified'
       and r.document_id is distinct from ${except}
     group by 1, 2, 3
  ), coded as (
    select u.lot_id, u.owner_id, coalesce(u.place, '') as location, sum(u.quantity) as quantity from unit u
     where u.specification_id = any(${specifications as string[]}::bigint[]) and u.id > 0 and u.status = 'in_stock'
       and u.holder_org_id = ${org} and u.warehouse_id = ${String(warehouse)}
     group by 1, 2, 3
  )
  select b.specification_id, b.lot_id, b.lot_no, b.owner_org_id as owner_id, b.location, p.name as product_name,
         s.name as specification_name,
         (b.quantity - coalesce(c.quantity, 0) - coalesce(h.quantity, 0) + coalesce(h.coded, 0))::numeric(18,3) as free
    from stock_on_hand b
    join specification s on s.id = b.specification_id
    join product p on p.id = s.product_id
    left join held h on h.lot_id = b.lot_id and h.owner_id = b.owner_org_id and h.location = b.location
    left join coded c on c.lot_id = b.lot_id and c.owner_id = b.owner_org_id and c.location = b.location
   where b.org_id = ${org} and b.warehouse_id = ${String(warehouse)}
     and b.specification_id = any(${specifications as string[]}::bigint[])
     and b.quality_state = 'qualified' and coalesce(b.expiry_date, 'infinity'::date) >= ${today()}
   order by b.expiry_date nulls last, b.lot_id, b.owner_org_id, b.location`
