import { today } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { leftOfLine } from '#server/public/documents.ts'

/** The current data of a model: prices, stock and open orders. */
export type Known = {
  specification_id: string
  supplier_id: string | null
  price: Decimal
  charge: Decimal | null
  sale: Decimal | null
  lowest: Decimal | null
  stock: Decimal
  orders: number
  listed: Decimal | null
  tax_rate: number
  /** True if the document's supplier has a price with the organisation. */
  is_supplied: boolean
}

/** Current data of the models on a price document; those not in the organisation's catalogue are left out. */
export const knownOf = ({ tx, session, doc }: ActionContext): Promise<Known[]> => {
  const org = session.org.id
  const models = doc.lines.map(line => line.specification_sn!)
  const goods =
    session.org.type === 'H'
      ? tx`select org_id, specification_id, supplier_id, purchase_price, charge_price as charge, null::numeric as sale,
        null::numeric as lowest, listed_price as listed, tax_rate, status from hospital_product`
      : tx`select org_id, specification_id, supplier_id, purchase_price, null::numeric, sale_price, lowest_price,
        null::numeric, tax_rate, status from dealer_product`
  return tx<Known[]>`
    select h.specification_id, h.supplier_id, case when ${session.org.type} = 'H'
      then coalesce(a.price, h.purchase_price) else h.purchase_price end as price, h.charge, h.sale, h.lowest,
      h.listed, h.tax_rate,
           a.price is not null or h.supplier_id = ${doc.counterparty_sn} as is_supplied,
           (select coalesce(sum(b.quantity), 0)::numeric(18,3) from stock_balance b
             where b.org_id = h.org_id
               and b.specification_id = any((select same_sizes(h.specification_id))::bigint[])) as stock,
           (select count(distinct d.id)::int from document d join document_line l on l.org_id = d.org_id
             and l.document_id = d.id
             where d.org_id = h.org_id and d.kind = 'purchaseOrder' and d.role = 'own'
               and d.state in ('reviewed', 'partial') and l.specification_id = h.specification_id
               and ${leftOfLine(tx, 'receive')} > 0) as orders
      from (${goods}) h(org_id, specification_id, supplier_id, purchase_price, charge, sale, lowest, listed, tax_rate,
        status)
      left join lateral (
        select g.price from price_agreement g where g.org_id = h.org_id and g.buyer_id = h.org_id
          and g.seller_id = coalesce(${doc.counterparty_sn}, h.supplier_id) and g.specification_id = h.specification_id
           and g.status = 'enabled' and g.valid_from <= ${today()} and (g.valid_to is null or g.valid_to >= ${today()})
         order by array_position(array['volume', 'awarded', 'agreed', 'temporary'], g.price_type), g.valid_from desc
           limit 1) a on true
     where h.org_id = ${org} and h.status = 'enabled' and h.specification_id = any(${models}::bigint[])`
}
