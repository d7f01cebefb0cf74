import { addDays, today } from '#kernel/values/date.ts'
import { storeAsked } from '#modules/hospital/ward/quota/month-quota.server.ts'
import { calls } from '#modules/hospital/ward/stock/department-inventory-calls.server.ts'
import { codesOf } from '#modules/hospital/ward/stock/piece-codes.server.ts'
import type { Fragment, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { codesNamedSql } from '#server/public/stock.ts'
import type { Tx } from '#server/public/database.ts'

/** Days over which daily use is averaged. */
const LOOK_BACK = 30

const sizes = (tx: Tx): Fragment => tx`any((select same_sizes(t.specification_id))::bigint[])`

/** A limit of the store for the row's goods: its list has one for a size and those that were mapped to it. */
const limit = (tx: Tx, column: string): Fragment => tx`(
  select ${tx(`p.${column}`)} from stock_limit p
   where p.org_id = t.org_id and p.warehouse_id = t.warehouse_id and p.stands_for_id = coalesce(
     (select z.stands_for_id from mapped_size z where z.specification_id = t.specification_id), t.specification_id))`

/** Limits are of the product in its store, whatever part of it the row is. */
const inStore = (tx: Tx, sum: string): Fragment => tx`(
  select coalesce(sum(${tx(`b.${sum}`)}), 0) from stock_on_hand b
   where b.org_id = t.org_id and b.warehouse_id = t.warehouse_id and b.specification_id = ${sizes(tx)})`

const stockState = (tx: Tx): Fragment => tx`
  case when ${inStore(tx, 'quantity')} = 0 then 'zero'
    when is_low(${inStore(tx, 'available')}, ${limit(tx, 'min_quantity')}) then 'low'
    when ${inStore(tx, 'available')} > ${limit(tx, 'max_quantity')} then 'high' else 'normal' end`

/** Use of the last days, less what was taken back of it. */
const used = (tx: Tx): Fragment => tx`(
  select -sum(m.quantity) from stock_move m
   where m.org_id = t.org_id and m.warehouse_id = t.warehouse_id and m.specification_id = ${sizes(tx)}
     and m.step = 'use' and m.at >= ${addDays(today(), 1 - LOOK_BACK)}::date::timestamp at time zone 'Asia/Shanghai')`

const catalogue = (tx: Tx, column: string): Fragment => tx`(
  select ${tx(`h.${column}`)} from hospital_product h
   where h.org_id = t.org_id and h.specification_id = t.specification_id)`

/** Own goods at what they cost; what others own, at the price agreed for it today. */
const amount = (tx: Tx): Fragment => tx`
  round(t.value + t.consigned * coalesce(${catalogue(tx, 'purchase_price')}, 0), 2)`

const receivedOn = (tx: Tx): Fragment => tx`(
  select max(m.business_date) from stock_balance b
    join stock_move m on m.org_id = b.org_id and m.lot_id = b.lot_id and m.warehouse_id = b.warehouse_id
   where b.org_id = t.org_id and b.warehouse_id = t.warehouse_id and b.specification_id = t.specification_id
     and (t.lot_id is null or b.lot_id = t.lot_id) and m.quantity > 0 and m.undo_of is null)`

const near = (tx: Tx, session: Session): Fragment => tx`
  ${today()}::date + coalesce(${catalogue(tx, 'expiry_warning_days')},
    (select warning_days(${session.org.id}, 'expiry_warning_days')))`

const quotaLeft = (tx: Tx, session: Session): Fragment => tx`
  case when ${limit(tx, 'month_quota')} > 0 then greatest(0, ${limit(tx, 'month_quota')}
    - ${storeAsked(tx, { store: 't.warehouse_id', size: 't.specification_id' }, session.org.id, today(), null)}) end`

const columns = (tx: Tx, session: Session): Readonly<Record<string, Fragment>> => ({
  manufacturer_name: tx`(select o.name from organisation o where o.id = ${tx('to_product_sn.manufacturer_id')})`,
  // The owner of the goods; for bought ones the catalogue's supplier.
  supplier_name: tx`(select o.name from organisation o
    where o.id = coalesce(nullif(t.owner_org_id, t.org_id), ${catalogue(tx, 'supplier_id')}))`,
  ownership: tx`case when t.quantity = 0 then null when t.consigned = 0 then 'own'
    when t.consigned = t.quantity then 'consigned' else 'both' end`,
  custom_type: tx`${tx('to_product_sn.custom_type')}`,
  is_high_value: tx`${tx('to_product_sn.is_high_value')}`,
  days_left: tx`t.expiry_date - ${today()}::date`,
  expiry_state: tx`case when t.expiry_date is null then 'none' when t.expiry_date < ${today()} then 'expired'
    when t.expiry_date <= ${near(tx, session)} then 'near' else 'normal' end`,
  unit_code: tx`null::text`,
  trace_code: tx`t.lot_no`,
  max_quantity: limit(tx, 'max_quantity'),
  min_quantity: limit(tx, 'min_quantity'),
  quota_left: quotaLeft(tx, session),
  stock_state: stockState(tx),
  supply_days: tx`floor(t.available * ${LOOK_BACK} / nullif(greatest(${used(tx)}, 0), 0))::int`,
  price: tx`round(${amount(tx)} / nullif(t.quantity, 0), 4)`,
  amount: amount(tx),
  received_on: receivedOn(tx),
})

/** Codes of the pieces on this page, and which of them documents hold. */
async function withCodes(tx: Tx, session: Session, rows: readonly RecordRow[]): Promise<readonly RecordRow[]> {
  const keyOf = (row: RecordRow) => String(row.department_inventory_sn)
  const codes = await codesOf(tx, rows.map(keyOf))
  if (codes.size === 0) return rows
  const lots = [...codes.keys()].map(key => key.split('-')[1]!)
  const held = await tx<{ code: string }[]>`
    select distinct u.code from reservation r cross join unnest(r.unit_codes) u(code)
     where r.org_id = ${session.org.id} and r.lot_id = any(${lots}::bigint[])`
  const reserved = new Set(held.map(row => row.code))
  return rows.map(row => {
    const mine = codes.get(keyOf(row)) ?? []
    const [unit_code] = mine
    if (unit_code === undefined) return row
    const isHeld = mine.some(code => reserved.has(code))
    return { ...row, unit_code, trace_code: unit_code, ...(isHeld ? { available: '0.000' } : {}) }
  })
}

export const departmentInventoryRules: RecordRules = {
  kind: 'departmentInventory',
  calls,
  columns,
  complete: withCodes,
  /** The piece that a code names, and whether the filter includes products without stock. */
  async prepare(tx, session, { parameters, conditions }) {
    const out = conditions.some(
      ({ name, value }) => name === 'stock_state' && [value].flat().some(state => state === 'zero'),
    )
    const code = (parameters.code as string | null | undefined)?.trim()
    if (!code) return { out, piece: null }
    const [unit] = await tx<{ id: string }[]>`
      select concat_ws('-', 'u', lot_id, unit_id) as id from unit_code
       where bare = any(${codesNamedSql(tx, code)}) order by ended is not null, lot_id in (
         select lot_id from stock_lot where org_id = ${session.org.id}) desc limit 1`
    return { out, piece: unit?.id ?? 'none' }
  },
  source: (tx, _session, { out, one }) =>
    out === true || one === true
      ? tx`(select * from department_stock union all select * from department_stock_out)`
      : tx`department_stock`,
  visible: (tx, _session, { piece }) => (typeof piece === 'string' ? tx`t.id = ${piece}` : tx`true`),
  search: (tx, pattern) => tx`(t.lot_no ilike ${pattern}
    or t.product_id in (select p.id from product p where (p.name || ' ' || p.pinyin || ' ' || p.code) ilike ${pattern})
    or t.specification_id in (select s.id from specification s
      where (s.name || ' ' || s.code || ' ' || coalesce(s.model, '')) ilike ${pattern}))`,
}
