import { today } from '#kernel/values/date.ts'
import type { Tx } from '#server/public/database.ts'
import { leftOfLine } from '#server/public/documents.ts'

/**
 * The quantities that decide whether to buy a model, in base units. `supplier_id` is the organisation's supplier of it.
 */
export type Need = {
  readonly specification_id: string
  readonly available_quantity: string
  readonly coming_quantity: string
  readonly unmet_quantity: string
  readonly min_quantity: string
  readonly max_quantity: string
  readonly used_30_days: string
  /**
   * max(0, upper limit − available − incoming + unmet), at least the supplier's minimum quantity, rounded up to
   * whole smallest sales units.
   */
  readonly proposed_quantity: string
  readonly supplier_id: string | null
  readonly regime: string | null
}

/**
 * The needs of a warehouse, or of the whole organisation if none is named: of the given models, or of all that have
 * limits, were used in thirty days or were requested. Catalogue limits apply to the organisation, and to the
 * warehouse where the model is kept. One statement for any number of models.
 */
export async function needsOf(
  tx: Tx,
  org: string,
  warehouse: string | null,
  models: readonly string[] | null,
): Promise<Need[]> {
  const here = (column: string) => (warehouse === null ? tx`true` : tx`${tx(column)} = ${warehouse}`)
  const asked =
    models === null ? tx`select specification_id, specification_id as stands_for_id from named` : standing(tx, models)
  const size = (of: string) => tx`coalesce(z.stands_for_id, ${tx(`${of}.specification_id`)}) as specification_id`
  const known = (of: string) => tx`left join mapped_size z on z.specification_id = ${tx(`${of}.specification_id`)}`
  return tx<Need[]>`
    with held as (
      select ${size('h')}, sum(h.available) as available
        from stock_on_hand h ${known('h')}
       where h.org_id = ${org} and ${here('h.warehouse_id')}
       group by 1
    ), coming as (
      select ${size('l')}, sum(${leftOfLine(tx, 'receive')}) as quantity
        from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id ${known('l')}
       where d.org_id = ${org} and d.kind = 'purchaseOrder' and d.role = 'own' and d.state in ('reviewed', 'partial')
         and ${here('d.warehouse_id')} group by 1
    ), unmet as (
      select ${size('l')}, sum(greatest(l.base_quantity - coalesce(g.taken, 0), 0)) as quantity
        from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id ${known('l')}
        left join lateral (select sum(p.taken) as taken from line_progress p
                            where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
                              and p.purpose in ('grant', 'allocate')) g on true
       where d.org_id = ${org} and d.kind = 'requisition' and d.role = 'own' and d.state in ('reviewed', 'partial')
         and ${here('d.warehouse_id')} group by 1
    ), used as (
      select ${size('m')}, -sum(m.quantity) as quantity
        from stock_move m ${known('m')}
       where m.org_id = ${org} and ${here('m.warehouse_id')} and m.quantity < 0 and m.undo_of is null
         and m.at >= now() - interval '30 days' group by 1
    ), catalogue as (
      select specification_id, minimum, maximum, default_warehouse_id, supplier_id, regime from hospital_product
        where org_id = ${org} and status = 'enabled' and admission_state = 'admitted'
       union all
      select specification_id, minimum, maximum, default_warehouse_id, supplier_id, null from dealer_product
        where org_id = ${org} and status = 'enabled'
    ), kept as (
      select distinct on (1) coalesce(z.stands_for_id, c.specification_id) as specification_id, c.minimum, c.maximum,
        c.default_warehouse_id, c.supplier_id, c.regime
        from catalogue c left join mapped_size z on z.specification_id = c.specification_id order by 1,
          z.stands_for_id nulls first, c.specification_id
    ), limits as (
      select w.stands_for_id as specification_id, sum(w.min_quantity) as least, sum(w.max_quantity) as most
        from stock_limit w
       where w.org_id = ${org} and ${here('w.warehouse_id')} group by 1
    ), named as (
      select specification_id from kept union select specification_id from limits union select specification_id
        from unmet union select specification_id from used
    ), asked as (${asked}
    ), need as (
      select n.specification_id, coalesce(h.available, 0) as available, coalesce(c.quantity, 0) as coming,
        coalesce(u.quantity, 0) as unmet, coalesce(x.quantity, 0) as used,
             coalesce(l.least, case when ${here('k.default_warehouse_id')} then k.minimum end, 0) as least,
               coalesce(l.most, case when ${here('k.default_warehouse_id')} then k.maximum end, 0) as most,
               k.supplier_id, k.regime,
             coalesce((select t.base_measure from unit_tree t where t.specification_id = n.specification_id
               and t.name = s.minimum_sales_unit limit 1), 1) as pack,
             coalesce((select max(a.min_order) from price_agreement a where a.org_id = ${org} and a.buyer_id = ${org}
               and a.seller_id = k.supplier_id
               and a.specification_id = any((select same_sizes(n.specification_id))::bigint[])
                          and a.status = 'enabled' and a.valid_from <= ${today()}
                            and (a.valid_to is null or a.valid_to >= ${today()})), 0) as at_least
        from asked n join specification s on s.id = n.specification_id
        left join held h on h.specification_id = n.stands_for_id left
          join coming c on c.specification_id = n.stands_for_id
        left join unmet u on u.specification_id = n.stands_for_id left
          join used x on x.specification_id = n.stands_for_id
        left join limits l on l.specification_id = n.stands_for_id left
          join kept k on k.specification_id = n.stands_for_id
    )
    select specification_id, available::numeric(18,3)::text as available_quantity,
      coming::numeric(18,3)::text as coming_quantity, unmet::numeric(18,3)::text as unmet_quantity,
           least::numeric(18,3)::text as min_quantity, most::numeric(18,3)::text as max_quantity,
             used::numeric(18,3)::text as used_30_days,
           (case when most - available - coming + unmet > 0
             then ceil(greatest(most - available - coming + unmet, at_least) / pack) * pack
             else 0 end)::numeric(18,3)::text as proposed_quantity, supplier_id, regime
      from need order by specification_id`
}

/** A request for a size that was mapped to another uses the figures of the other size. */
const standing = (tx: Tx, models: readonly string[]) => tx`
  select a.id as specification_id, coalesce(z.stands_for_id, a.id) as stands_for_id
    from unnest(${[...new Set(models)]}::bigint[]) a(id) left join mapped_size z on z.specification_id = a.id`
