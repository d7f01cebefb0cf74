import type { ItemData, Trade } from '#server/public/drafts.ts'
import { cachedInTx, type Tx } from '#server/public/database.ts'

/** Our data of a specification for one organisation and one counterparty on a given day. */
export type SpecificationFacts = ItemData & {
  readonly id: string
  readonly code: string
  readonly device_class: string
  /** Its class in the list of 2017, and in that of 2002. */
  readonly class_code: string | null
  readonly class_code_2002: string | null
  readonly product_status: string
  readonly status: string
  readonly manufacturer_id: string
  readonly is_high_value: boolean
  readonly is_implant: boolean
  readonly is_sterile: boolean
  readonly is_cold_chain: boolean
  readonly unit_name: string
  readonly lot_required: boolean
  readonly expiry_required: boolean
  readonly shelf_life_months: number | null
  /** The seller's own limit, below which it does not sell. */
  readonly lowest_price: string | null
  /** The provincial list price; purchases may not exceed it. */
  readonly listed_price: string | null
  readonly regime: string | null
  readonly supplier_id: string | null
  readonly admission_state: string | null
  /** True if the specification is in the organisation's own catalogue. */
  readonly in_catalogue: boolean
  /** Or it was stopped there: documents that were begun are finished, no new ones are begun. */
  readonly was_in_catalogue: boolean
  readonly default_warehouse_id: string | null
  /** True if it has neither a UDI (its own or from a linked code) nor a note why it has none. */
  readonly lacks_udi: boolean
  readonly certificate_no: string | null
  readonly certificate_valid_from: string | null
  readonly certificate_valid_to: string | null
}

/** Facts of many specifications in one statement, read once per transaction. Unknown ids are simply absent. */
export function specificationFacts(
  tx: Tx,
  ids: readonly string[],
  trade: Trade,
): Promise<Map<string, SpecificationFacts>> {
  const wanted = [...new Set(ids)].sort()
  return cachedInTx(tx, JSON.stringify(['facts', wanted, trade]), () => readFacts(tx, wanted, trade))
}

async function readFacts(tx: Tx, ids: readonly string[], trade: Trade): Promise<Map<string, SpecificationFacts>> {
  if (ids.length === 0) return new Map()
  const [seller, buyer] = trade.direction === 'sell' ? [trade.org, trade.counterparty] : [trade.counterparty, trade.org]
  const rows = await tx<SpecificationFacts[]>`
    select s.id, s.code, s.name, p.name as product_name, p.device_class, p.class_code, p.class_code_2002,
      p.status as product_status, s.status, p.manufacturer_id,
           p.is_high_value, p.is_implant, p.is_sterile, p.is_cold_chain,
           coalesce(h.is_unit_coded, e.is_unit_coded, p.is_unit_coded) as is_unit_coded,
           s.unit_name, s.lot_required, s.expiry_required, p.shelf_life_months,
             coalesce(a.tax_rate, s.tax_rate) as tax_rate,
           coalesce(a.price, ${
             trade.direction === 'sell'
               ? tx`e.sale_price`
               : tx`coalesce(h.purchase_price,
             e.purchase_price)`
           }, s.price) as price,
           a.price as agreed_price, nullif(e.lowest_price, 0) as lowest_price, h.listed_price, h.regime,
             coalesce(h.supplier_id, e.supplier_id) as supplier_id, h.admission_state,
           (h.status = 'enabled' or e.status = 'enabled' or p.manufacturer_id = ${trade.org}) is true as in_catalogue,
           (h.id is not null or e.id is not null) as was_in_catalogue,
           coalesce(h.default_warehouse_id, e.default_warehouse_id) as default_warehouse_id,
           s.udi_di is null and s.no_di_reason is null and p.no_di_reason is null and not exists (
             select 1 from product_barcode k
               where k.specification_id = s.id and (k.org_id = ${trade.org} or k.for_everybody)
               and k.code_type in ('udi_di', 'ma', 'hibc', 'ahm') and k.status = 'enabled') as lacks_udi,
           case when n.certificate_no is null then o.certificate_no else n.certificate_no end as certificate_no,
           case when n.certificate_no is null then o.valid_from else n.valid_from end as certificate_valid_from,
           case when n.certificate_no is null then o.valid_to else n.valid_to end as certificate_valid_to
      from specification s
      join product p on p.id = s.product_id
      left join registration_certificate o on o.id = s.registration_certificate_id
      -- The document that follows it in the chain, once it is in force.
      left join lateral (
        select r.certificate_no, r.valid_from, r.valid_to from registration_certificate r
         where r.previous_certificate_no = o.certificate_no and r.audit_state = 'passed'
           and r.valid_from <= ${trade.day} and r.valid_from >= o.valid_from
         order by r.valid_from desc limit 1) n on true
      left join hospital_product h on h.org_id = ${trade.org} and h.specification_id = s.id
      left join dealer_product e on e.org_id = ${trade.org} and e.specification_id = s.id
      left join lateral (
        select g.price, g.tax_rate from price_agreement g
         where g.org_id = ${trade.org} and g.seller_id = ${seller} and g.buyer_id = ${buyer}
           and g.specification_id = s.id and g.status = 'enabled'
           and g.valid_from <= ${trade.day} and (g.valid_to is null or g.valid_to >= ${trade.day})
         order by array_position(array['volume', 'awarded', 'agreed', 'temporary'], g.price_type), g.valid_from desc
           limit 1) a on true
     where s.id = any(${ids as string[]}::bigint[])`
  return new Map(rows.map(row => [row.id, row]))
}
