import { today } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { configNumberSql } from '#server/public/settings.ts'
import { makeLabels } from '#server/public/traceability.ts'
import { searchedByScan } from '#modules/goods/stock/balances/search-by-scan.server.ts'
import type { Tx } from '#server/public/database.ts'
import type { Session } from '#server/public/session.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'

type Coming = {
  warehouse_id: string
  specification_id: string
  lot_no: string
  transit: string | null
  pending: string | null
}
const keyOf = (warehouse: unknown, specification: unknown, lot: unknown) => `${warehouse}/${specification}/${lot ?? ''}`

/**
 * The quantity of each lot in transit to the same warehouse, shown beside the stock; once per lot, with the goods
 * that are fit for use.
 */
async function withComing(tx: Tx, session: Session, rows: readonly RecordRow[]): Promise<RecordRow[]> {
  const wanted = [...new Set(rows.map(row => String(row.specification_sn)))]
  const coming = await tx<Coming[]>`
    select warehouse_id, specification_id, lot_no,
      (sum(quantity) filter (where stage = 'transit'))::numeric(18,3) as transit,
      (sum(quantity) filter (where stage = 'pending'))::numeric(18,3) as pending
      from stock_coming where org_id = ${session.org.id} and specification_id = any(${wanted}::bigint[]) group by 1, 2,
        3`
  const limits = await tx<{ warehouse_id: string; specification_id: string; level: string | null }[]>`
    select p.warehouse_id, a.id as specification_id,
           case when is_low(coalesce(h.available, 0), p.min_quantity) then 'low'
             when coalesce(h.available, 0) > p.max_quantity then 'high' end as level
      from unnest(${wanted}::bigint[]) a(id)
      left join mapped_size z on z.specification_id = a.id
      join stock_limit p on p.org_id = ${session.org.id} and p.stands_for_id = coalesce(z.stands_for_id, a.id)
      left join lateral (
        select sum(b.available) as available from stock_on_hand b
         where b.org_id = p.org_id and b.warehouse_id = p.warehouse_id
           and b.specification_id = any((select same_sizes(p.stands_for_id))::bigint[])) h on true`
  const levels = new Map(limits.map(row => [`${row.warehouse_id}/${row.specification_id}`, row.level]))
  const left = new Map(coming.map(row => [keyOf(row.warehouse_id, row.specification_id, row.lot_no), row]))
  return rows.map(row => {
    const key = keyOf(row.warehouse_model_inner_sn, row.specification_sn, row.lot_no)
    const found = row.quality_state === 'qualified' ? left.get(key) : undefined
    left.delete(found ? key : '')
    return {
      ...row,
      in_transit_quantity: found?.transit ?? null,
      pending_quantity: found?.pending ?? null,
      level: levels.get(`${row.warehouse_model_inner_sn}/${row.specification_sn}`) ?? null,
    }
  })
}

export const stockBalanceRules: RecordRules = {
  kind: 'stockBalance',
  complete: withComing,
  ...searchedByScan,
  calls: {
    gen: ({ tx, session, asked: { count }, ids: keys }) =>
      makeLabels(tx, session, { balances: keys }, count === null || count === undefined ? null : parseInteger(count)),
  },
  source: (tx, _session, { consigned_out, zero }) => {
    if (consigned_out !== '1' && zero !== '1') return tx`stock_on_hand`
    const elsewhere = consigned_out === '1' ? tx`union all select * from stock_elsewhere` : tx``
    const usedUp = zero === '1' ? tx`union all select * from stock_used_up` : tx``
    return tx`(select * from stock_on_hand ${elsewhere} ${usedUp})`
  },
  // Filtered by warehouse and not by a joined row, so that the goods keep the order of their index.
  visible: (tx, _session, parameters) =>
    parameters.in_transit === '1'
      ? tx`true`
      : tx`not exists (select 1 from warehouse z where z.org_id = t.org_id and z.id = t.warehouse_id
        and z.model = 'transit')`,
  columns: (tx, session) => {
    return {
      owner_name: tx`${tx('to_owner_org_sn.name')}`,
      registration_no: tx`(select c.certificate_no from specification s
        join registration_certificate c on c.id = s.registration_certificate_id where s.id = t.specification_id)`,
      ownership: tx`case when t.owner_org_id = t.org_id then 'own' else 'consigned' end`,
      manufacturer_name: tx`(select o.name from organisation o where o.id = ${tx('to_product_sn.manufacturer_id')})`,
      available: tx`t.available`,
      in_transit_quantity: tx`null::numeric(18,3)`,
      pending_quantity: tx`null::numeric(18,3)`,
      level: tx`null::text`,
      days_left: tx`t.expiry_date - ${today()}::date`,
      expiry_state: tx`case when t.expiry_date is null then 'none' when t.expiry_date < ${today()} then 'expired'
        when t.expiry_date <= ${today()}::date + ${configNumberSql(tx, session.org.id, 'expiry_warning_days')}
        then 'near' else 'normal' end`,
      area: tx`nullif(split_part(t.location, '-', 1), '')`,
      // The last supplier of the lot; goods the organisation made or opened with have none.
      supplier_name: tx`(select o.name from document_line x join document d on d.org_id = x.org_id
        and d.id = x.document_id join organisation o on o.id = d.counterparty_id
        where x.org_id = t.org_id and x.specification_id = t.specification_id and x.lot_no = t.lot_no
          and d.kind = 'purchaseGrn' and d.role = 'own' and d.state in ('reviewed', 'partial', 'completed')
          order by d.id desc limit 1)`,
      cost_price: tx`round(t.value / nullif(t.quantity, 0), 4)`,
      value: tx`t.value`,
    }
  },
}
