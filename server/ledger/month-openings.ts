import type { Sql } from 'postgres'
import { type CheckRow, MOST } from '#server/ledger/finding.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** So long after its first moment no transaction of the month before can still be open. */
const SETTLED = '1 hour'
const key = 'warehouse_id, specification_id, lot_id, owner_id, quality_state'

/**
 * Writes down what lay where at the beginning of each month that has come, for all organisations, each from the one before and
 * the moves between. What stands is not written again; several processes may call it at once. Runs as the owner of the tables.
 */
export async function sealMonths(owner: Sql): Promise<void> {
  for (const month of await monthsToSeal(owner)) await owner.begin(tx => seal(tx, month))
}

async function monthsToSeal(owner: Sql): Promise<string[]> {
  const rows = await owner<{ month: string }[]>`
    with span as (
      select coalesce((select max(month) from month_sealed),
                      date_trunc('month', (select min(at) from stock_move) at time zone 'Asia/Shanghai')::date) as first,
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
      from (select org_id, ${tx.unsafe(key)}, quantity, value from month_opening where month = ${month}::date - interval '1 month'
            union all
            select org_id, ${tx.unsafe(key)}, quantity, value from stock_move
             where at >= month_start((${month}::date - interval '1 month')::date) and at < month_start(${month}::date)) x
     group by org_id, ${tx.unsafe(key)} having sum(quantity) <> 0 or sum(value) <> 0`
}

/** Each opening is the one before and the moves between. */
export const monthOpenings = (tx: Tx) => tx<CheckRow[]>`
  with rows as (
    select org_id, month, ${tx.unsafe(key)}, quantity, value from month_opening
     union all
    select o.org_id, s.month, ${tx.unsafe(key)}, -quantity, -value from month_opening o join month_sealed s on s.month = o.month + interval '1 month'
     union all
    select m.org_id, s.month, ${tx.unsafe(key)}, -quantity, -value
      from stock_move m
      join month_sealed s on s.month = date_trunc('month', m.at at time zone 'Asia/Shanghai') + interval '1 month')
  select org_id as org, concat_ws('/', month, ${tx.unsafe(key)}) as key, '0 值0' as expected, concat(sum(quantity), ' 值', sum(value)) as found
    from rows group by org_id, month, ${tx.unsafe(key)} having sum(quantity) <> 0 or sum(value) <> 0 order by 1, 2 limit ${MOST}`
