import { type Check, type CheckRow, MAX_ROWS } from '#server/ledger/check/finding.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * Every event of a unit starts where the one before ended. The author of an event may not know the other side's
 * store: where an end belongs to another organisation, only the organisation is compared.
 */
const chain = (tx: Tx) => tx<CheckRow[]>`
  select e.org_id as org, concat('批次', e.lot_id, ' 单件', e.unit_id, ' 第', e.seq, '步（', e.document_sn, '）') as key,
         concat_ws('/', coalesce(e.was_org::text, '无'), e.was_warehouse) as expected,
           concat_ws('/', coalesce(e.from_org_id::text, '无'), e.from_warehouse_id) as found
    from (select x.*, lag(x.to_org_id) over w as was_org, lag(x.to_warehouse_id) over w as was_warehouse,
      lag(x.org_id) over w as was_by, row_number() over w as place
            from trace_event x where x.unit_id > 0 window w as (partition by x.lot_id, x.unit_id order by x.seq)) e
   where e.place > 1
     and (e.from_org_id is distinct from e.was_org
       or (e.from_warehouse_id is distinct from e.was_warehouse
           and not (e.from_warehouse_id is null and e.from_org_id is distinct from e.org_id)
           and not (e.was_warehouse is null and e.was_org is distinct from e.was_by)))
   order by 1, 2 limit ${MAX_ROWS}`

/** A unit is where its last event put it. */
const lastEvent = (tx: Tx) => tx<CheckRow[]>`
  with last as (
    select distinct on (lot_id, unit_id) lot_id, unit_id, step, org_id, to_org_id, to_warehouse_id, document_sn, before
      from trace_event where unit_id > 0 order by lot_id, unit_id, seq desc)
  select u.holder_org_id as org, concat('批次', u.lot_id, ' 单件', u.id, '（', l.document_sn, '）') as key,
         concat_ws('/', coalesce(l.to_org_id::text, '无'), l.to_warehouse_id,
           case when w.model = 'transit' then 'in_transit' when w.id is not null then 'in_stock'
           else '不在库' end) as expected,
         concat_ws('/', coalesce(u.holder_org_id::text, '无'), u.warehouse_id, u.status) as found
    from unit u
    left join last l on l.lot_id = u.lot_id and l.unit_id = u.id
    left join warehouse w on w.org_id = l.to_org_id and w.id = l.to_warehouse_id
   where case
     when l.unit_id is null then u.status <> 'void' or u.holder_org_id is not null
     when l.to_warehouse_id is not null then u.holder_org_id is distinct from l.to_org_id or u.warehouse_id is distinct
       from l.to_warehouse_id
       or u.status is distinct from (case when w.model = 'transit' then 'in_transit' else 'in_stock' end)
     -- A receipt taken back: on the way again at whoever sent it, or unborn where it had its first name there.
     when l.to_org_id is not null then u.status <> 'void'
       and (u.holder_org_id is distinct from l.to_org_id or u.status <> 'in_transit')
     else u.status in ('in_stock', 'in_transit') end
   order by 1, 2 limit ${MAX_ROWS}`

/** Coded pieces are included in the counted stock: in every store and every transit, lot by lot and owner by owner. */
const covered: Check['run'] = (tx, pending) => tx<CheckRow[]>`
  with named as (
    select holder_org_id as org, warehouse_id, case when status = 'in_transit' then under else '' end as under, lot_id,
      owner_id, sum(quantity) as pieces
      from unit where status in ('in_stock', 'in_transit') group by 1, 2, 3, 4, 5),
  counted as (
    select org, warehouse_id, under, lot_id, owner_id, sum(quantity) as quantity from (
      select b.org_id as org, b.warehouse_id, case when w.model = 'transit' then b.location else '' end as under,
        b.lot_id, b.owner_id, b.quantity
        from stock_balance b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
       union all
      select k.org, w.id, k.under, k.lot, k.owner, k.quantity
        from jsonb_to_recordset(${tx.json(pending.transit)}) as k(org bigint, under text, lot bigint, owner bigint,
          quantity numeric)
        join warehouse w on w.org_id = k.org and w.model = 'transit') x
     group by 1, 2, 3, 4, 5)
  select n.org,
    concat_ws(' ', concat('仓库', n.warehouse_id), nullif(n.under, ''), concat('批次', n.lot_id),
    concat('货主', n.owner_id)) as key,
         concat('至少', n.pieces) as expected, coalesce(c.quantity, 0)::text as found
    from named n left join counted c using (org, warehouse_id, under, lot_id, owner_id)
   where n.pieces > coalesce(c.quantity, 0)
     -- A customer who keeps no books never says that they arrived.
     and not exists (select 1 from document d where d.org_id = n.org and d.sn = n.under and d.role = 'own'
                        and not exists (select 1 from intercompany_message h
                          where h.org_id = d.org_id and h.document_id = d.id and h.message = 'document'))
   order by 1, 2 limit ${MAX_ROWS}`

/** Every code names one existing unit, of the lot it states. */
const codes = (tx: Tx) => tx<CheckRow[]>`
  select c.issuer_org_id as org, concat('院内码', c.bare) as key, concat('批次', c.lot_id, ' 单件', c.unit_id) as expected,
    '无此单件' as found
    from unit_code c left join unit u on u.lot_id = c.lot_id and u.id = c.unit_id where u.id is null order by 1, 2
      limit ${MAX_ROWS}`

export const serialChecks: readonly Check[] = [
  { name: 'chain', title: '追溯链中断', run: chain },
  { name: 'lastEvent', title: '单件位置与最后事件不符', run: lastEvent },
  { name: 'covered', title: '在库单件多于库存', run: covered },
  { name: 'codes', title: '院内码无单件', run: codes },
]
