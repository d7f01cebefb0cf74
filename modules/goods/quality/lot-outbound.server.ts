import { kindsAdding, kindsOf, kindsTakingBack } from '#kernel/measure/feeding.ts'
import { type Decimal, plain } from '#kernel/values/decimal.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Away = {
  readonly what: 'transit' | 'sent' | 'used' | 'elsewhere'
  readonly name: string | null
  readonly quantity: Decimal
}

/** Kinds of documents that partly concern goods of other organisations: gifts that are returned. */
const otherKinds = () => kindsOf('otherwise_issued', 'otherwise_received')

/** Documents by which goods leave for another organisation. */
const leaving = () => kindsAdding('shipped', 'given', 'moved', 'otherwise_issued')

/** Documents by which goods come back from another organisation. */
const coming = () => [...kindsTakingBack('shipped', 'moved'), ...kindsAdding('otherwise_received')]

const words: Readonly<Record<Away['what'], (row: Away) => string>> = {
  transit: row => `在途${plain(row.quantity)}`,
  sent: row => `已发往【${row.name ?? ''}】${plain(row.quantity)}`,
  used: row => `已使用${plain(row.quantity)}`,
  elsewhere: row => `在【${row.name ?? ''}】${plain(row.quantity)}`,
}

/**
 * Other places of a lot that a block does not reach: in transit, at other organisations by name, used up, in other
 * warehouses of the organisation. A hint for a possible recall; null if all of it is blocked.
 */
export async function lotAway(tx: Tx, session: Session, lot: string): Promise<string | null> {
  const org = session.org.id
  const visibleTo = session.warehouses === 'all' ? null : [...session.warehouses]
  const rows = await tx<Away[]>`
    with transit as (
      select b.location as sn, sum(b.quantity) as quantity
        from stock_balance b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id and w.model = 'transit'
       where b.org_id = ${org} and b.lot_id = ${lot} and b.quantity > 0 group by b.location
    ), sent as (
      select d.sn, d.counterparty_id,
        sum(case when d.kind = any(${coming()}) then -l.base_quantity else l.base_quantity end) as quantity
        from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
       where l.org_id = ${org} and l.lot_id = ${lot} and d.role = 'own' and d.kind = any(${[...leaving(), ...coming()]})
         and (d.kind <> all(${otherKinds()}) or 'gift_back' in (d.fields->>'odo_type', d.fields->>'grn_type'))
         and d.state in ('reviewed', 'partial', 'completed', 'stopped', 'reversed')
       group by d.sn, d.counterparty_id
    )
    select 'transit' as what, null as name, sum(quantity)::numeric(18,3) as quantity from transit
      having sum(quantity) > 0
    union all
    select 'elsewhere', w.name, sum(b.quantity)::numeric(18,3)
      from stock_balance b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
        and w.model not in ('transit', 'consumed')
     where b.org_id = ${org} and b.lot_id = ${lot} and ${visibleTo}::bigint[] is not null
       and b.warehouse_id <> all(coalesce(${visibleTo}::bigint[], '{}')) group by w.name having sum(b.quantity) > 0
    union all
    select 'sent', o.name, sum(s.quantity - coalesce(t.quantity, 0))::numeric(18,3)
      from sent s join organisation o on o.id = s.counterparty_id left join transit t on t.sn = s.sn
     group by o.name having sum(s.quantity - coalesce(t.quantity, 0)) > 0
    union all
    select 'used', null, sum(l.base_quantity)::numeric(18,3)
      from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
     where l.org_id = ${org} and l.lot_id = ${lot} and d.role = 'own' and d.kind = any(${kindsOf('used')})
       and d.state in ('reviewed', 'partial', 'completed', 'reversed')
    having sum(l.base_quantity) > 0`
  return rows.length === 0 ? null : rows.map(row => words[row.what](row)).join('，')
}
