import { advanceAccounts, itemAccounts } from '#kernel/ledger/posting.ts'
import { derived, documents } from '#kernel/registry.ts'
import { type Check, type CheckRow, MAX_ROWS } from '#server/ledger/check/finding.ts'
import { limitBreaches } from '#server/ledger/limit-breaches.ts'
import { monthFigures, monthOpenings } from '#server/ledger/month-close.ts'
import type { Tx } from '#server/database/transaction.ts'

const key = 'warehouse_id, location, specification_id, lot_id, owner_id, quality_state'

/** A balance row is the sum of its moves, quantity and value; a zero sum has no row. */
const stockBalance = (tx: Tx) => tx<CheckRow[]>`
  select org_id as org, concat_ws('/', ${tx.unsafe(key)}) as key,
         concat(coalesce(m.quantity, 0), ' 值', coalesce(m.value, 0)) as expected, case when b.quantity is null then '无'
           else concat(b.quantity, ' 值', b.value) end as found
    from (select org_id, ${tx.unsafe(key)}, sum(quantity) as quantity, sum(value) as value from stock_move
      group by org_id, ${tx.unsafe(key)}
          having sum(quantity) <> 0 or sum(value) <> 0) m
    full join stock_balance b using (org_id, ${tx.unsafe(key)})
   where m.quantity is distinct from b.quantity or m.value is distinct from b.value
   order by 1, 2 limit ${MAX_ROWS}`

/** No balance is zero or negative. Value without goods, or below zero, is money that cannot be explained. */
const stockSign = (tx: Tx) => tx<CheckRow[]>`
  select org_id as org, concat_ws('/', ${tx.unsafe(key)}) as key, '数量大于0且金额不小于0' as expected,
    concat(quantity, ' 值', value) as found
    from stock_balance where quantity <= 0 or value < 0 order by 1, 2 limit ${MAX_ROWS}`

const accountBalance = (tx: Tx) => tx<CheckRow[]>`
  select org_id as org, concat_ws('/', counterparty_id, account) as key, coalesce(e.amount, 0)::text as expected,
    coalesce(b.amount::text, '无') as found
    from (select org_id, counterparty_id, account, sum(amount) as amount from account_entry group by 1, 2, 3
      having sum(amount) <> 0) e
    full join account_balance b using (org_id, counterparty_id, account)
   where e.amount is distinct from b.amount order by 1, 2 limit ${MAX_ROWS}`

/** The amount by which the entries under an item settled it must equal the amount that its document counts as paid. */
const openItems = (tx: Tx) => tx<CheckRow[]>`
  select i.org_id as org, concat_ws('/', i.document_no, i.line_no, i.direction) as key,
    coalesce(p.taken, 0)::numeric(18,2)::text as expected, i.settled_amount::text as found
    from open_item i
    left join line_progress p on p.org_id = i.org_id and p.document_id = i.document_id and p.line_no = i.line_no
      and p.purpose = 'pay'
   where i.settled_amount <> coalesce(p.taken, 0) order by 1, 2 limit ${MAX_ROWS}`

/** Money in advance is what is left of the documents that brought it. */
const advances = (tx: Tx) => tx<CheckRow[]>`
  select org_id as org, concat_ws('/', counterparty_id, account) as key, coalesce(i.amount, 0)::text as expected,
    coalesce(b.amount, 0)::text as found
    from (select org_id, counterparty_id, side as account, sum(left_amount) as amount from advance_item
      group by 1, 2, 3 having sum(left_amount) <> 0) i
    full join (select org_id, counterparty_id, account, amount from account_balance
      where account in ('prepaid', 'prereceived')) b using (org_id, counterparty_id, account)
   where coalesce(i.amount, 0) <> coalesce(b.amount, 0) order by 1, 2 limit ${MAX_ROWS}`

/** The rest of an advance by its entries must equal the rest by what was counted on it. */
const advanceBalances = (tx: Tx) => tx<CheckRow[]>`
  select d.org_id as org, d.sn as key, coalesce(i.left_amount, 0)::text as expected,
    coalesce(b.amount, 0)::text as found
    from (select org_id, id as document_id, left_amount from advance_item where left_amount <> 0) i
    full join advance_balance b using (org_id, document_id)
    join document d on d.org_id = coalesce(i.org_id, b.org_id) and d.id = coalesce(i.document_id, b.document_id)
   where coalesce(i.left_amount, 0) <> coalesce(b.amount, 0) order by 1, 2 limit ${MAX_ROWS}`

/** No money in advance is below zero, of a partner or of one advance: an earlier version may have let it fall. */
const advanceSign = (tx: Tx) => tx<CheckRow[]>`
  select b.org_id as org, d.sn as key, '不小于0' as expected, b.amount::text as found
    from advance_balance b join document d on d.org_id = b.org_id and d.id = b.document_id where b.amount < 0
   union all
  select org_id, concat_ws('/', counterparty_id, account), '不小于0', amount::text from account_balance
   where account = any(${[...advanceAccounts]}) and amount < 0
   order by 1, 2 limit ${MAX_ROWS}`

/** An entry on an account of open items names its item: one of an earlier version may name none. */
const entryItems = (tx: Tx) => tx<CheckRow[]>`
  select e.org_id as org, concat_ws(' ', d.kind, d.sn, e.line_no, e.account) as key, '有未结项' as expected,
    concat('无 ', sum(e.amount)) as found
    from account_entry e join document d on d.org_id = e.org_id and d.id = e.document_id
   where e.account = any(${[...itemAccounts]}) and e.item_id is null
   group by e.org_id, d.kind, d.sn, e.line_no, e.account having sum(e.amount) <> 0
   order by 1, 2 limit ${MAX_ROWS}`

const consignedOut = (tx: Tx) => tx<CheckRow[]>`
  select org_id as org, concat_ws('/', customer_id, specification_id, lot_id) as key,
         concat(coalesce(m.quantity, 0), ' 值', coalesce(m.value, 0)) as expected, case when b.quantity is null then '无'
           else concat(b.quantity, ' 值', b.value) end as found
    from (select org_id, customer_id, specification_id, lot_id, sum(quantity) as quantity, sum(value) as value
      from consigned_move group by 1, 2, 3, 4
          having sum(quantity) <> 0 or sum(value) <> 0) m
    full join consigned_out b using (org_id, customer_id, specification_id, lot_id)
   where m.quantity is distinct from b.quantity or m.value is distinct from b.value or b.quantity <= 0 or b.value < 0
   order by 1, 2 limit ${MAX_ROWS}`

/** Corrections waiting for the other side's confirmation hold their goods meanwhile. */
const amending = derived(() =>
  documents()
    .filter(definition => definition.lineRules.correctedValues)
    .map(definition => definition.kind),
)
const reserving = derived(() =>
  documents()
    .filter(definition => definition.posting.reservesStock)
    .map(definition => definition.kind),
)

/**
 * A waiting issue has reserved exactly its lines; a correction waiting for the other side holds at most its goods;
 * nothing else has reservations.
 */
const reservation = (tx: Tx) => tx<CheckRow[]>`
  select x.org_id as org, concat_ws('/', d.kind, d.sn, x.line_no) as key, coalesce(x.asked, 0)::text as expected,
    coalesce(x.promised, 0)::text as found
    from (select org_id, document_id, line_no, l.quantity as asked, r.quantity as promised
      from (select x.org_id, x.document_id, x.line_no, x.base_quantity as quantity from document_line x
      join document p on p.org_id = x.org_id and p.id = x.document_id
           where p.state = 'submitted' and p.role = 'own' and p.kind = any(${reserving()})
             and x.specification_id is not null and x.base_quantity <> 0) l
    full join reservation r using (org_id, document_id, line_no)) x
    join document d on d.org_id = x.org_id and d.id = x.document_id
   where x.asked is distinct from x.promised
     and not (d.kind = any(${amending()}) and d.state = 'partial'
              and (select sum(r.quantity) from reservation r
                where r.org_id = d.org_id and r.document_id = d.id) <= d.total_quantity)
   order by 1, 2 limit ${MAX_ROWS}`

const promised = (tx: Tx) => tx<CheckRow[]>`
  select org_id as org, concat_ws('/', ${tx.unsafe(key)}) as key, concat('不大于', coalesce(b.quantity, 0)) as expected,
    concat('占用', r.quantity) as found
    from (select org_id, ${tx.unsafe(key)}, sum(quantity) as quantity from reservation group by org_id,
      ${tx.unsafe(key)}) r
    left join stock_balance b using (org_id, ${tx.unsafe(key)})
   where r.quantity > coalesce(b.quantity, 0) order by 1, 2 limit ${MAX_ROWS}`

/**
 * The stock an owner records at a keeper equals what the keeper has of that owner, once everything in transit has
 * arrived.
 */
const consignedBoth: Check['run'] = (tx, pending) => tx<CheckRow[]>`
  with kept as (
    select owner, keeper, lot_id, sum(quantity) as quantity from (
      select owner_id as owner, org_id as keeper, lot_id, quantity from stock_balance where owner_id <> org_id
       union all
      select k.owner, k.org, k.lot, k.quantity
        from jsonb_to_recordset(${tx.json([...pending.transit, ...pending.kept])})
          as k(org bigint, lot bigint, owner bigint, quantity numeric) where k.owner <> k.org) x
     group by 1, 2, 3 having sum(quantity) <> 0),
  remembered as (
    select owner, keeper, lot_id, sum(quantity) as quantity from (
      select org_id as owner, customer_id as keeper, lot_id, quantity from consigned_out
       union all
      select k.org, k.customer, k.lot, k.quantity
        from jsonb_to_recordset(${tx.json(pending.consigned)}) as k(org bigint, customer bigint, lot bigint,
        quantity numeric)) x
     group by 1, 2, 3 having sum(quantity) <> 0)
  select owner as org, concat('寄售于', keeper, ' 批次', lot_id) as key, coalesce(k.quantity, 0)::text as expected,
    coalesce(r.quantity, 0)::text as found
    from kept k full join remembered r using (owner, keeper, lot_id)
   where k.quantity is distinct from r.quantity
     -- An owner without an account keeps no books here.
     and exists (select 1 from app_user u where u.org_id = owner)
       and exists (select 1 from app_user u where u.org_id = keeper)
   order by 1, 2 limit ${MAX_ROWS}`

/** Balances must be the sum of their entries. */
export const balanceChecks: readonly Check[] = [
  { name: 'stock', title: '库存余额与流水不符', run: stockBalance },
  { name: 'stockSign', title: '库存余额不应存在', run: stockSign },
  { name: 'accounts', title: '往来余额与流水不符', run: accountBalance },
  { name: 'openItems', title: '往来余额与未结项不符', run: openItems },
  { name: 'advances', title: '预收预付余额与单据不符', run: advances },
  { name: 'advanceBalances', title: '预收预付单余额与流水不符', run: advanceBalances },
  { name: 'advanceSign', title: '预收预付余额小于0', run: advanceSign },
  { name: 'entryItems', title: '往来流水没有对应的未结项', run: entryItems },
  { name: 'consignedOut', title: '寄售在外余额与流水不符', run: consignedOut },
  { name: 'reservation', title: '占用与待审单据不符', run: reservation },
  { name: 'promised', title: '占用大于库存', run: promised },
  { name: 'monthOpenings', title: '月初库存与流水不符', run: monthOpenings },
  { name: 'monthFigures', title: '月度收发存与流水不符', run: monthFigures },
  { name: 'limitBreaches', title: '超出库存上下限的时段与流水不符', run: limitBreaches },
  { name: 'consignedBoth', title: '寄售双方不符', run: consignedBoth },
]
