import type { Sql } from 'postgres'
import { type CheckRow, MAX_ROWS } from '#server/ledger/check/finding.ts'
import { followLimits } from '#server/ledger/limit-breaches.ts'
import type { Fragment } from '#server/records/hooks.ts'
import type { Tx } from '#server/database/transaction.ts'

/** This long after its start no transaction of the previous month can still be open. */
const SETTLED = '1 hour'
const key = 'warehouse_id, location, specification_id, lot_id, owner_id, quality_state'

/**
 * Records the stock at the beginning of each month reached, for all organisations, each from the one before and the
 * moves between; then the figures of the month before it, and when goods were beyond their limits. Months that are
 * recorded are not written again; several processes may call it at once. Runs as the owner of the tables.
 */
export async function closeMonths(owner: Sql): Promise<void> {
  await nameKinds(owner)
  for (const month of await monthsToSeal(owner)) await owner.begin(tx => seal(tx, month))
  const bare = await owner<{ month: string }[]>`select month from month_sealed where not has_figures order by month`
  for (const { month } of bare) await owner.begin(tx => account(tx, month))
  await followLimits(owner)
}

/** A version before this one, which may run beside it for a while, writes moves without the kind of their document. */
const nameKinds = (owner: Sql) => owner`
  update stock_move m set document_kind = d.kind from document d
    where m.document_kind is null and d.org_id = m.org_id and d.id = m.document_id`

async function monthsToSeal(owner: Sql): Promise<string[]> {
  const rows = await owner<{ month: string }[]>`
    with span as (
      select coalesce((select max(month) from month_sealed),
                      date_trunc('month',
                        (select min(at) from stock_move) at time zone 'Asia/Shanghai')::date) as first,
             date_trunc('month', (now() - ${SETTLED}::interval) at time zone 'Asia/Shanghai')::date as last)
    select m::date as month from span, generate_series(first + interval '1 month', last, interval '1 month') m
     where first is not null order by 1`
  return rows.map(row => row.month)
}

async function seal(tx: Tx, month: string): Promise<void> {
  const [mine] = await tx`insert into month_sealed (month) values (${month}) on conflict do nothing returning month`
  if (!mine) return
  await tx`
    insert into month_opening (org_id, month, ${tx.unsafe(key)}, quantity, value)
    select org_id, ${month}::date, ${tx.unsafe(key)}, sum(quantity), sum(value)
      from (select org_id, ${tx.unsafe(key)}, quantity, value from month_opening
        where month = ${month}::date - interval '1 month'
            union all
            select org_id, ${tx.unsafe(key)}, quantity, value from stock_move
             where at >= month_start((${month}::date - interval '1 month')::date)
               and at < month_start(${month}::date)) x
     group by org_id, ${tx.unsafe(key)} having sum(quantity) <> 0 or sum(value) <> 0`
}

/** Records the figures of the month that ended here: its opening, receipts, issues, and pure value changes. */
async function account(tx: Tx, end: string): Promise<void> {
  const [mine] =
    await tx`update month_sealed set has_figures = true where month = ${end} and not has_figures returning month`
  if (!mine) return
  await tx`insert into month_figure ${figuresOf(tx, tx`${end}::date`)}`
}

/**
 * The figures of the month that ended by `end`, from its opening and its moves. An undo counts in the category of
 * what it undid.
 */
const figuresOf = (tx: Tx, end: Fragment) => tx`
  select org_id, (${end} - interval '1 month')::date as month, warehouse_id, specification_id, is_own,
         coalesce(sum(quantity) filter (where turn = 'before'), 0)::numeric(18,3) as opening_quantity,
           coalesce(sum(value) filter (where turn = 'before'), 0)::numeric(18,2) as opening_value,
         coalesce(sum(quantity) filter (where turn = 'in'), 0)::numeric(18,3) as in_quantity,
           coalesce(sum(value) filter (where turn = 'in' and quantity <> 0), 0)::numeric(18,2) as in_value,
         coalesce(-sum(quantity) filter (where turn = 'out'), 0)::numeric(18,3) as out_quantity,
           coalesce(-sum(value) filter (where turn = 'out' and quantity <> 0), 0)::numeric(18,2) as out_value,
         coalesce(sum(value) filter (where turn <> 'before' and quantity = 0), 0)::numeric(18,2) as adjustment
    from (select org_id, warehouse_id, specification_id, owner_id = org_id as is_own, quantity,
      case when owner_id = org_id then value else 0 end as value, 'before' as turn
            from month_opening where month = ${end} - interval '1 month'
          union all
          select org_id, warehouse_id, specification_id, owner_id = org_id, quantity,
            case when owner_id = org_id then value else 0 end, case when (quantity < 0) <> (undo_of is not null)
            then 'out' else 'in' end
            from stock_move where at >= month_start((${end} - interval '1 month')::date) and at < month_start(${end})) x
   group by org_id, warehouse_id, specification_id, is_own`

/** The figures of every ended month match its opening and its moves. */
export const monthFigures = (tx: Tx) => tx<CheckRow[]>`
  with asked as (
    select x.* from month_sealed s cross join lateral (${figuresOf(tx, tx`s.month`)}) x where s.has_figures)
  select coalesce(a.org_id, f.org_id) as org,
    concat_ws('/', coalesce(a.month, f.month), coalesce(a.warehouse_id, f.warehouse_id),
    coalesce(a.specification_id, f.specification_id)) as key,
         coalesce(a::text, '无') as expected, coalesce(f::text, '无') as found
    from asked a full
      join month_figure f on (f.org_id, f.month, f.warehouse_id, f.specification_id, f.is_own) = (a.org_id, a.month,
      a.warehouse_id, a.specification_id, a.is_own)
   where a::text is distinct from f::text order by 1, 2 limit ${MAX_ROWS}`

/** Each opening is the one before plus the moves between. */
export const monthOpenings = (tx: Tx) => tx<CheckRow[]>`
  with rows as (
    select org_id, month, ${tx.unsafe(key)}, quantity, value from month_opening
     union all
    select o.org_id, s.month, ${tx.unsafe(key)}, -quantity, -value from month_opening o
      join month_sealed s on s.month = o.month + interval '1 month'
     union all
    select m.org_id, s.month, ${tx.unsafe(key)}, -quantity, -value
      from stock_move m
      join month_sealed s on s.month = date_trunc('month', m.at at time zone 'Asia/Shanghai') + interval '1 month')
  select org_id as org, concat_ws('/', month, ${tx.unsafe(key)}) as key, '0 值0' as expected,
    concat(sum(quantity), ' 值', sum(value)) as found
    from rows group by org_id, month, ${tx.unsafe(key)} having sum(quantity) <> 0 or sum(value) <> 0 order by 1, 2
      limit ${MAX_ROWS}`
