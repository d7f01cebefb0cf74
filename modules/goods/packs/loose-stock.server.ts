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
  /** Base units that no document reserves and that have no code. */
  readonly free: Decimal
}

/**
 * Qualified goods in a store that may be packed, the earliest expiry first: without reserved, coded and packed ones.
 * `except` is a document whose own reservation does not count.
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

/** Pieces of one lot, owner and location with codes of their own; `free` is their number. */
export type LoosePieces = Loose & { readonly codes: readonly string[] }

/**
 * Qualified pieces with codes of their own in a store that may be packed, the earliest expiry first: without reserved
 * ones and those in a pack.
 */
export const loosePieces = (tx: Tx, org: string, warehouse: unknown, specifications: readonly string[]) => tx<
  LoosePieces[]
>`
  select u.specification_id, u.lot_id, b.lot_no, u.owner_id, b.location, p.name as product_name,
         s.name as specification_name, count(*)::numeric(18,3) as free, array_agg(c.bare order by c.bare) as codes
    from unit u
    join stock_on_hand b on b.org_id = ${org} and b.warehouse_id = u.warehouse_id and b.lot_id = u.lot_id
      and b.owner_org_id = u.owner_id and b.location = coalesce(u.place, '') and b.quality_state = 'qualified'
    join lateral (
      select x.bare from unit_code x where x.lot_id = u.lot_id and x.unit_id = u.id and x.ended is null
        and x.kind not in ('rfid', 'pack')
       order by x.kind = 'inhouse' desc, x.kind, x.bare limit 1) c on true
    join specification s on s.id = u.specification_id
    join product p on p.id = s.product_id
    left join hospital_product h on h.org_id = ${org} and h.specification_id = s.id
   where u.holder_org_id = ${org} and u.warehouse_id = ${String(warehouse)} and u.id > 0 and u.status = 'in_stock'
     and u.specification_id = any(${specifications as string[]}::bigint[])
     and coalesce(h.is_unit_coded, p.is_unit_coded)
     and coalesce(b.expiry_date, 'infinity'::date) >= ${today()}
     and not exists (
       select 1 from pack k
        where k.org_id = ${org} and k.lot_id = u.lot_id and k.unit_id = u.id and k.opened_at is null)
     and not exists (
       select 1 from reservation r where r.org_id = ${org} and r.lot_id = u.lot_id and c.bare = any(r.unit_codes))
   group by 1, 2, 3, 4, 5, 6, 7, b.expiry_date
   order by b.expiry_date nulls last, 2, 4, 5`
