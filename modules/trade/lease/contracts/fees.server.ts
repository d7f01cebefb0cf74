import { addDays, instant, MONTH, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { lastDay } from '#modules/trade/lease/leases.server.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import type { ListActionHandler, RecordAction } from '#server/public/records.ts'
import type { Sql } from 'postgres'

/**
 * Writes the fees of a month: measure × price × days leased ÷ days of the month, by goods moved without the share of
 * days. Fees that nobody confirmed yet are written again. Returns how many rows were written.
 */
export async function writeFees(tx: Tx, org: string, month: string): Promise<number> {
  const written = await tx`
    with days as (
      select ${`${month}-01`}::date as first, (${`${month}-01`}::date + interval '1 month - 1 day')::date as last),
    let as (
      select l.org_id, l.lease_contract_id, l.id as line_id, c.charged_by, c.warehouse_id, c.lessee_id, a.code,
             coalesce(l.price, c.price, a.month_rent, 0) as price, l.area_m2, l.pallets, l.volume_m3,
             greatest(l.start_on, d.first) as since, least(${lastDay(tx)}, d.last) as until,
             extract(day from d.last)::int as month_days
        from days d
        join lease_line l on l.org_id = ${org} and l.start_on <= d.last
        join lease_contract c on c.org_id = l.org_id and c.id = l.lease_contract_id
        join lease_area a on a.org_id = l.org_id and a.id = l.lease_area_id
       where ${lastDay(tx)} >= d.first and (c.status = 'enabled' or c.stopped_on is not null)),
    measured as (
      select t.*, t.until - t.since + 1 as days,
             case t.charged_by when 'area' then t.area_m2 when 'pallet' then coalesce(t.pallets, 0)
               when 'volume' then coalesce(t.volume_m3, 0)
               else (select coalesce(sum(abs(m.quantity)), 0) from stock_move m
                      where m.org_id = t.org_id and m.warehouse_id = t.warehouse_id and m.owner_id = t.lessee_id
                        and split_part(m.location, '-', 1) = t.code
                        and (m.at at time zone 'Asia/Shanghai')::date between t.since and t.until) end as measure
        from let t where t.until >= t.since)
    insert into lease_fee (org_id, lease_contract_id, lease_line_id, month, charged_by, measure, price, days,
      month_days, amount)
    select m.org_id, m.lease_contract_id, m.line_id, ${month}, m.charged_by, m.measure, m.price, m.days, m.month_days,
           round(case when m.charged_by = 'throughput' then m.measure * m.price
             else m.measure * m.price * m.days / m.month_days end, 2)
      from measured m
    on conflict (org_id, lease_line_id, month) do update
      set charged_by = excluded.charged_by, measure = excluded.measure, price = excluded.price, days = excluded.days,
          month_days = excluded.month_days, amount = excluded.amount, version = lease_fee.version + 1
    where lease_fee.fee_state = 'open'
    returning 1`
  return written.length
}

/** 生成费用: for a month that is over, or the one that runs. */
export const bill: ListActionHandler = async ({ tx, session, asked }) => {
  const month = String(asked.month)
  if (!MONTH.test(month)) throw new BusinessError('rule', '月份应如 2026-06')
  if (month > today().slice(0, 7)) throw new BusinessError('rule', '不能生成以后月份的费用')
  const count = await writeFees(tx, session.org.id, month)
  return { said: count === 0 ? `${month}没有需要生成的费用` : `已生成${month}的费用${count}条` }
}

/** 确认: a confirmed fee is not computed again. */
export const confirmFee: RecordAction = async (_tx, session, row) => {
  if (row.fee_state === 'confirmed') throw new BusinessError('wrongState', '该费用已确认')
  if (String(row.month) >= today().slice(0, 7)) throw new BusinessError('rule', '当月费用在月末以后才能确认')
  return { fee_state: 'confirmed', confirmed_by: session.userName, confirmed_at: instant() }
}

/** The previous month is billed automatically, and computed again until somebody confirms it. */
export async function billLastMonth(owner: Sql): Promise<void> {
  const month = addDays(`${today().slice(0, 7)}-01`, -1).slice(0, 7)
  const lessors = await owner<{ org_id: string }[]>`
    select distinct c.org_id from lease_contract c
     where not exists (select 1 from lease_fee f where f.org_id = c.org_id and f.month = ${month})`
  for (const { org_id: org } of lessors) await inOrganisation(owner, org, '0', tx => writeFees(tx, org, month))
}
