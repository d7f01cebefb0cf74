import type { RecordRules } from '#server/public/records.ts'
import { scopeSql } from '#server/public/session.ts'

/** Prints of the card, the latest first. */
export const madePackRules: RecordRules = {
  kind: 'madePack',
  visible: (tx, session) => scopeSql(tx, session, { stores: [tx`t.warehouse_id`], department: null, people: [] }),
  columns: (tx, session) => {
    const whole = tx`from pack k where k.org_id = ${session.org.id} and k.pack_code = t.pack_code`
    const prints = tx`from label_print g where g.org_id = ${session.org.id} and g.lot_id = t.lot_id
      and g.unit_id = t.id
      and g.pack_code is not distinct from case when t.piece_code is not null then t.pack_code end`
    return {
      pack_type: tx`case when t.pack_code is null then 'single' else coalesce((select p.pack_type from pack_template p
        where p.org_id = ${session.org.id} and p.id = t.pack_template_id), 'combined') end`,
      contents: tx`case when t.pack_code is null then
          (select p.name from specification s join product p on p.id = s.product_id where s.id = t.specification_id)
        else (select string_agg(x.name || '×' || trim_scale(x.size), '、' order by x.first)
          from (select p.name, sum(k.size) as size, min(length(k.code)::text || k.code) as first
            from pack k join unit u on u.lot_id = k.lot_id and u.id = k.unit_id
            join specification s on s.id = u.specification_id join product p on p.id = s.product_id
           where k.org_id = ${session.org.id} and k.pack_code = t.pack_code group by s.id, p.name) x) end`,
      size: tx`case when t.pack_code is null then t.part_size else (select sum(k.size) ${whole}) end`,
      lot_no: tx`case when t.pack_code is null then (select l.lot_no from lot l where l.id = t.lot_id)
        else (select string_agg(distinct l.lot_no, '、') from pack k join lot l on l.id = k.lot_id
          where k.org_id = ${session.org.id} and k.pack_code = t.pack_code) end`,
      expiry_date: tx`(select min(d.expiry_date) from stock_lot d where d.org_id = ${session.org.id}
        and d.lot_id = any(case when t.pack_code is null then array[t.lot_id]
          else array(select k.lot_id ${whole}) end))`,
      document_sn: tx`(select d.sn from document d where d.org_id = ${session.org.id} and d.id = t.document_id)`,
      times: tx`(select count(*)::int ${prints})`,
      print_state: tx`case when exists (select 1 ${prints}) then 'yes' else 'no' end`,
      print_log: tx`(select string_agg(to_char(g.at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI') || ' '
        || g.printed_by || coalesce(' 补打：' || g.reason, ''), '；' order by g.seq desc) ${prints})`,
    }
  },
}
