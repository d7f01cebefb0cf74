import { BusinessError } from '#kernel/rules/errors.ts'
import { lockMonths } from '#modules/hospital/charges/checking/checks.server.ts'
import type { ListActionHandler, RecordRules } from '#server/public/records.ts'

const firstOf = (month: unknown): string => `${String(month)}-01`

/**
 * 月结: nothing can be booked in the month any more. Every day of it must have been read, and the month before must be
 * closed.
 */
const close: ListActionHandler = async ({ tx, session, asked: { month } }) => {
  const org = session.org.id
  await lockMonths(tx, org, 'closing')
  const first = firstOf(month)
  const [standing] = await tx<{ closed: boolean; open: string | null }[]>`
    select exists (select 1 from charge_month m where m.org_id = ${org} and m.month >= ${first}::date) as closed,
           (select to_char(min(e.month), 'YYYY-MM') from use_check_event e
             where e.org_id = ${org} and e.month < ${first}::date
               and e.month > coalesce((select max(m.month) from charge_month m where m.org_id = ${org}), '-infinity'))
             as open`
  if (standing!.closed) throw new BusinessError('wrongState', `${String(month)}已月结`)
  if (standing!.open !== null) throw new BusinessError('rule', `请先月结${standing!.open}`)
  const [missing] = await tx<{ day: string }[]>`
    select x.day::date::text as day
      from generate_series(${first}::date, ${first}::date + interval '1 month' - interval '1 day', '1 day') x(day)
      left join his_charge_day d on d.org_id = ${org} and d.day = x.day::date
     where d.read_at is null or d.read_at < (x.day::date + 1)::timestamp at time zone 'Asia/Shanghai'
     order by 1 limit 1`
  if (missing) throw new BusinessError('rule', `${missing.day}HIS计费数据未获取，不能月结`)
  await tx`insert into charge_month (org_id, month, closed_by) values (${org}, ${first}, ${session.userName})`
  return { said: `${String(month)}已月结，此后的处理记入下月` }
}

/** 取消月结 of the last closed month. */
const unclose: ListActionHandler = async ({ tx, session, asked: { month } }) => {
  const org = session.org.id
  await lockMonths(tx, org, 'closing')
  const [last] = await tx<{ month: string | null }[]>`
    select to_char(max(month), 'YYYY-MM') as month from charge_month where org_id = ${org}`
  if (last?.month === null || last?.month === undefined) throw new BusinessError('rule', '没有已月结的月份')
  if (last.month !== month) throw new BusinessError('rule', `只能取消最近一次月结（${last.month}）`)
  await tx`delete from charge_month where org_id = ${org} and month = ${firstOf(month)}`
  return { said: `已取消${last.month}的月结` }
}

export const chargeMonthRules: RecordRules = {
  kind: 'chargeMonth',
  readFlag: 'page:/hospital/hisVerificationReport',
  calls: { close, unclose },
}
