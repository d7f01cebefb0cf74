import { today } from '#kernel/day.ts'
import { remind } from '#modules/stock/use-reminder.server.ts'
import { searchedByScan } from '#modules/stock/searched-by-scan.server.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

export const stockLocatorRules: RecordRules = {
  kind: 'stockLocator',
  calls: { remind },
  visible(tx, session) {
    return session.warehouses === 'all'
      ? tx`true`
      : tx`(t.warehouse_id is null or t.warehouse_id = any(${[...session.warehouses]}::bigint[]))`
  },
  ...searchedByScan,
  columns: (tx, session) => {
    const moved = tx`from stock_move m join document d on d.org_id = m.org_id and d.id = m.document_id
                     where m.org_id = ${session.org.id} and m.lot_id = t.lot_id and m.warehouse_id = t.warehouse_id`
    return {
      manufacturer_name: tx`(select o.name from organisation o where o.id = ${tx('to_product_sn.manufacturer_id')})`,
      days_left: tx`t.expiry_date - ${today()}::date`,
      pieces: tx`(select count(*)::int from unit u where u.lot_id = t.lot_id and u.id > 0 and u.holder_org_id = ${session.org.id} and u.warehouse_id = t.warehouse_id and u.status = 'in_stock')`,
      days_here: tx`(select ${today()}::date - min(m.business_date) ${moved} and m.quantity > 0)`,
      last_sn: tx`(select d.sn ${moved} order by m.at desc limit 1)`,
      last_at: tx`(select m.at ${moved} order by m.at desc limit 1)`,
    }
  },
}
