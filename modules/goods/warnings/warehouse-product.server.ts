import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { calcLimit, copyTo, replenish, setLimit, setShelf } from '#modules/goods/warnings/limits.server.ts'
import { recountWarnings } from '#modules/goods/warnings/recount.server.ts'
import type { Fragment, RecordRules } from '#server/public/records.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

/** The fields that decide by which limits a store is judged. */
const limits = ['min_quantity', 'max_quantity', 'status'] as const

const keepLimits = (tx: Tx, org: string, id: string) => tx`select keep_limits(${org}, array[${id}::bigint])`

/** Catalogue data of the product behind a row. */
const ofProduct = (tx: Tx, what: Fragment): Fragment =>
  tx`(select ${what} from product p join specification s on s.product_id = p.id where s.id = t.specification_id)`

export const warehouseProductRules: RecordRules = {
  kind: 'warehouseProduct',
  // A mapped size is shown here only until its warehouse has the size it was mapped to.
  visible(tx, session) {
    const named = tx`not exists (select 1 from mapped_size z
      join warehouse_product o on o.specification_id = z.stands_for_id
      where z.specification_id = t.specification_id and o.org_id = t.org_id and o.warehouse_id = t.warehouse_id)`
    return session.warehouses === 'all'
      ? named
      : tx`(t.warehouse_id = any(${[...session.warehouses]}::bigint[]) and ${named})`
  },
  columns: (tx, session) => ({
    product_name: ofProduct(tx, tx`p.name`),
    manufacturer_name: tx`(select m.name from organisation m join product p on p.manufacturer_id = m.id
      join specification s on s.product_id = p.id where s.id = t.specification_id)`,
    custom_type: ofProduct(tx, tx`p.custom_type`),
    managed_by: tx`(case
      when (select h.is_unit_coded from hospital_product h
      where h.org_id = t.org_id and h.specification_id = t.specification_id) then 'unit' else 'lot' end)`,
    is_high_value: ofProduct(tx, tx`p.is_high_value`),
    has_stock: tx`(case
      when exists (select 1 from stock_balance b where b.org_id = ${session.org.id} and b.warehouse_id = t.warehouse_id
      and b.specification_id = any((select same_sizes(t.specification_id))::bigint[])
        and b.quantity > 0) then '1' else '0' end)`,
    stock: tx`(select coalesce(sum(b.quantity), 0) from stock_balance b
      where b.org_id = ${session.org.id} and b.warehouse_id = t.warehouse_id
      and b.specification_id = any((select same_sizes(t.specification_id))::bigint[]))::numeric(18,3)`,
    used_30_days: tx`(select coalesce(-sum(m.quantity), 0) from stock_move m
      where m.org_id = ${session.org.id} and m.warehouse_id = t.warehouse_id
      and m.specification_id = any((select same_sizes(t.specification_id))::bigint[])
                         and m.quantity < 0 and m.undo_of is null
                           and m.at >= now() - interval '30 days')::numeric(18,3)`,
  }),
  async check(tx, session, { after, sent }) {
    const isSaid = 'used_on_receipt' in sent || 'specification_sn' in sent
    if (after.used_on_receipt !== true || !isSaid) return []
    const [watched] = await tx`
      select 1 from specification s join product p on p.id = s.product_id
        left join hospital_product h on h.org_id = ${session.org.id} and h.specification_id = s.id
       where s.id = ${String(after.specification_sn)} and (p.is_implant or p.is_unit_coded or h.is_unit_coded)`
    return watched ? [{ field: 'used_on_receipt', msg: '植入物和一物一码产品逐件登记使用，不能领用即消耗' }] : []
  },
  // The stock of before is judged by the limits that held then.
  async alsoWrites(tx, session, { id, before, after }): Promise<Record<string, string>> {
    if (before !== null && limits.every(name => before[name] === after[name])) return {}
    if (before !== null && id !== null) await keepLimits(tx, session.org.id, id)
    return { limits_since: instant() }
  },
  calls: { setLimit, calcLimit, setShelf, copyTo, replenish },
  // New limits trigger warnings at once.
  async afterwards(sql, session) {
    await inOrganisation(sql, session.org.id, session.userId, tx => recountWarnings(tx, session.org.id))
  },
  async mayLeave(tx, session, action, row) {
    if (action !== 'del') return
    const [busy] = await tx`
      select 1 from stock_balance b
       where b.org_id = ${session.org.id} and b.warehouse_id = ${String(row.warehouse_model_inner_sn)}
         and b.specification_id = any(same_sizes(${String(row.specification_sn)})) and b.quantity > 0
       union all
      select 1 from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
       where d.org_id = ${session.org.id} and d.kind = 'requisition'
         and d.state in ('draft', 'submitted', 'rejected', 'reviewed', 'partial')
         and d.to_warehouse_id = ${String(row.warehouse_model_inner_sn)}
           and l.specification_id = any(same_sizes(${String(row.specification_sn)}))
       limit 1`
    if (busy) throw new BusinessError('blocked', '该产品在仓库中有库存或未完成申领，不能删除')
    await keepLimits(tx, session.org.id, String(row.warehouse_product_sn))
  },
}
