import { today } from '#kernel/day.ts'
import { parseCode } from '#kernel/codes/parse-code.ts'
import { remind } from '#modules/stock/use-reminder.server.ts'
import { Refusal } from '#kernel/refusal.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'
import type { Tx } from '#server/engine/transaction.ts'

type Meant = { readonly lot?: string; readonly di?: string; readonly lot_no?: string }

/** What was scanned: a piece's own code, or a carrier that names product and lot. Null: it was typed, and is searched for. */
async function meantBy(tx: Tx, text: string): Promise<Meant | null> {
  const [unit] = await tx<{ lot_id: string }[]>`select lot_id from unit_code where bare = ${text} limit 1`
  if (unit) return { lot: unit.lot_id }
  const parsed = parseCode(text)
  if (!parsed.ok || parsed.di === null || parsed.di === undefined) return null
  const [known] = await tx`select 1 from specification where udi_di = ${parsed.di}`
  if (!known) throw new Refusal('notFound', `未识别的条码：${text.slice(0, 80)}，请核对后重新扫描`)
  return { di: parsed.di, ...(parsed.lot ? { lot_no: parsed.lot } : {}) }
}

export const stockLocatorRules: RecordRules = {
  kind: 'stockLocator',
  calls: { remind },
  visible(tx, session) {
    return session.warehouses === 'all'
      ? tx`true`
      : tx`(t.warehouse_id is null or t.warehouse_id = any(${[...session.warehouses]}::bigint[]))`
  },
  prepare: async (tx, _session, { q }) => ({ meant: q === null ? null : await meantBy(tx, q) }),
  search(tx, pattern, { meant }) {
    const found = meant as Meant | null
    if (found?.lot) return tx`t.lot_id = ${found.lot}`
    if (found?.di)
      return tx`(t.specification_id in (select s.id from specification s where s.udi_di = ${found.di}) and (${found.lot_no ?? null}::text is null or t.lot_no = ${found.lot_no ?? null}))`
    return tx`(t.lot_no ilike ${pattern} or t.product_id in (select p.id from product p where (p.name || ' ' || p.pinyin || ' ' || p.code) ilike ${pattern})
              or t.specification_id in (select s.id from specification s where (s.name || ' ' || s.code || ' ' || coalesce(s.model, '')) ilike ${pattern}))`
  },
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
