import type { Sql } from 'postgres'
import { addDays, daysBetween, today, type Day } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { matchCharges } from '#modules/hospital/charges/checking/match-charges.server.ts'
import { replaceDay } from '#modules/hospital/charges/checking/stored-charges.server.ts'
import { connectedHis, type HisCharge } from '#server/public/outbound.ts'
import { type BackgroundJob, frequent, hourly, reportError } from '#server/public/jobs.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import type { ListActionHandler, RecordRules } from '#server/public/records.ts'

const MOST_DAYS = 31
/** Days that are read again by themselves: late bookings come with the day after. */
const DAYS_BACK = 3

/** Days are read in the background, each in its own transaction; the user who asked sees them in 获取记录. */
const askDays = (tx: Tx, org: string, days: readonly string[], by: string) => tx`
  insert into his_charge_day as d (org_id, day, asked_at, asked_by)
  select ${org}, x.day, now(), ${by} from unnest(${days as string[]}::date[]) x(day)
  on conflict (org_id, day) do update set asked_at = excluded.asked_at, asked_by = excluded.asked_by`

const daysFrom = (begin: Day, end: Day): Day[] =>
  Array.from({ length: daysBetween(begin, end) + 1 }, (_, at) => addDays(begin, at))

/** 获取HIS计费: at most 31 days at a time. */
const fetch: ListActionHandler = async ({ tx, session, asked }) => {
  const [begin, end] = [asked.begin_date as Day, asked.end_date as Day]
  const refuse = (msg: string): never => {
    throw new BusinessError('invalid', msg, [{ field: 'end_date', msg }])
  }
  if (begin > end) refuse('结束日期不能早于开始日期')
  if (end > today()) refuse('结束日期不能晚于今天')
  if (daysBetween(begin, end) >= MOST_DAYS) refuse('查询区间不能超过31天')
  if ((await connectedHis(tx, session.org.id)) === null)
    throw new BusinessError('rule', '本机构未接通HIS接口，不能获取HIS计费')
  const days = daysFrom(begin, end)
  await askDays(tx, session.org.id, days, session.userName)
  return { said: `正在获取${days.length}天的HIS计费，结果见获取记录` }
}

/** Reads the charges of a day from the HIS, before any of our rows is locked. */
async function readDay(sql: Sql, org: string, day: Day): Promise<readonly HisCharge[]> {
  const his = await inOrganisation(sql, org, '0', tx => connectedHis(tx, org))
  if (his === null) throw new Error('本机构未接通HIS接口')
  const charges: HisCharge[] = []
  for await (const page of his.chargesOf(day)) charges.push(...page)
  return charges
}

async function fetchDay(sql: Sql, org: string, day: Day): Promise<void> {
  try {
    const charges = await readDay(sql, org, day)
    await inOrganisation(sql, org, '0', async tx => {
      await matchCharges(tx, org, await replaceDay(tx, org, day, charges))
      await tx`
        update his_charge_day set asked_at = null, read_at = now(), row_count = ${charges.length}, error = null,
          failed_at = null where org_id = ${org} and day = ${day}`
    })
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error)
    await inOrganisation(
      sql,
      org,
      '0',
      tx => tx`
      update his_charge_day set asked_at = null, error = ${sentence.slice(0, 500)}, failed_at = now()
       where org_id = ${org} and day = ${day}`,
    )
  }
}

/** Every day that somebody asked for. */
export async function fetchAsked(app: Sql, owner: Sql): Promise<number> {
  const asked = await owner<{ org_id: string; day: Day }[]>`
    select org_id, day::text as day from his_charge_day where asked_at is not null order by asked_at, day limit 31`
  for (const { org_id: org, day } of asked) await fetchDay(app, org, day)
  return asked.length
}

/** Requests the last days of every hospital with a HIS, until each day is read as a whole; today is read again. */
export async function askLastDays(app: Sql, owner: Sql): Promise<void> {
  const hospitals = await owner<{ id: string }[]>`
    select id from organisation where system_type = 1 and kept_by_id is null order by id`
  const days = daysFrom(addDays(today(), -DAYS_BACK), today())
  for (const { id: org } of hospitals)
    await inOrganisation(app, org, '0', async tx => {
      if ((await connectedHis(tx, org)) === null) return
      const whole = await tx<{ day: string }[]>`
        select day::text as day from his_charge_day where org_id = ${org} and day = any(${days as string[]}::date[])
          and error is null and read_at >= (day + 1)::timestamp at time zone 'Asia/Shanghai'`
      const known = new Set(whole.map(row => row.day))
      await askDays(
        tx,
        org,
        days.filter(day => !known.has(day)),
        '系统',
      )
    }).catch((error: unknown) => reportError('days of charges', error))
}

export const fetchJobs: readonly BackgroundJob[] = [
  frequent('fetch_his_charges', 'HIS计费获取', ({ app, owner }) => fetchAsked(app, owner)),
  hourly('ask_his_charges', 'HIS计费每日获取', ({ app, owner }) => askLastDays(app, owner)),
]

export const hisChargeDayRules: RecordRules = {
  kind: 'hisChargeDay',
  readFlag: ['page:/hospital/hisSpdFeePage', 'page:/hospital/hisSpdFeePageTab', 'page:/hospital/hisVerificationReport'],
  calls: { fetch },
}
