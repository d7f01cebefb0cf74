import type { Sql } from '#server/plugins/database.ts'

/**
 * All existing data of all organisations: balances, reservations, serials, progress, and the states of all documents
 * except the given one.
 */
export async function standing(owner: Sql, except: string): Promise<Record<string, string[]>> {
  const tables = {
    stock: owner`select row_to_json(b)::text as row from stock_balance b order by 1`,
    dates: owner`
      select row_to_json(k)::text as row from stock_lot k
       where exists (select 1 from stock_balance b where b.org_id = k.org_id and b.lot_id = k.lot_id) order by 1`,
    accounts: owner`select row_to_json(b)::text as row from account_balance b order by 1`,
    consigned: owner`select row_to_json(b)::text as row from consigned_out b order by 1`,
    promised: owner`select row_to_json(r)::text as row from reservation r order by 1`,
    pieces: owner`
      select concat_ws(' ', (select min(c.code) from unit_code c where c.lot_id = u.lot_id and c.unit_id = u.id),
        u.lot_id, u.status, u.holder_org_id, u.warehouse_id, u.place,
             u.owner_id, u.under, u.use_org_id, u.use_id) as row from unit u where u.status <> 'void' order by 1`,
    progress: owner`
      select concat_ws(' ', g.org_id, d.sn, g.line_no, g.purpose, g.taken) as row from line_progress g
        join document d on d.org_id = g.org_id and d.id = g.document_id
       where g.taken <> 0 and g.purpose <> 'reverse' and d.sn <> ${except} order by 1`,
    settlement: owner`select concat_ws(' ', s.org_id, s.use_document_id, s.use_line_no, s.unit_code, s.state,
      sum(s.quantity), sum(s.amount)) as row
      from settlement_line s group by s.org_id, s.use_document_id, s.use_line_no, s.unit_code, s.state
        having sum(s.quantity) <> 0 order by 1`,
    states: owner`
      select concat_ws(' ', d.org_id, d.kind, d.sn, d.state) as row from document d
       where d.role = 'own' and d.sn <> ${except} and d.state not in ('cancelled', 'deleted', 'draft', 'submitted')
         and d.red_of_id is null order by 1`,
  }
  const entries = await Promise.all(
    Object.entries(tables).map(async ([name, rows]) => [name, (await rows).map(row => String(row.row))] as const),
  )
  return Object.fromEntries(entries)
}
