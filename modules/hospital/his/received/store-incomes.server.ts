import { BusinessError } from '#kernel/rules/errors.ts'
import { today } from '#kernel/values/date.ts'
import type { HisIncome, HisReceived } from '#server/public/outbound.ts'
import type { Tx } from '#server/public/database.ts'

const said = ({ department_code, department_name }: HisIncome): string =>
  department_name === null ? department_code : `${department_code} ${department_name}`
const periodOf = ({ grain, period_on }: HisIncome): string => (grain === 'month' ? period_on.slice(0, 7) : period_on)

/** Our department for each of the HIS: as mapped, else the only one with its code. */
async function departmentsOf(tx: Tx, org: string, incomes: readonly HisIncome[]): Promise<Map<string, string>> {
  const codes = [...new Set(incomes.map(({ department_code }) => department_code))]
  const rows = await tx<{ code: string; department_id: string }[]>`
    select c.code, coalesce(h.department_id, d.id) as department_id
      from unnest(${codes}::text[]) c(code)
      left join his_department h on h.org_id = ${org} and h.his_department_code = c.code
      left join (select his_code, min(id) as id from department
                  where org_id = ${org} and his_code is not null and status = 'enabled'
                  group by his_code having count(*) = 1) d on d.his_code = c.code
     where coalesce(h.department_id, d.id) is not null`
  return new Map(rows.map(({ code, department_id }) => [code, department_id]))
}

/** Refuses days of a month that is known as a whole: they would be counted twice. */
async function refuseDaysOfKnownMonths(tx: Tx, org: string, incomes: readonly HisIncome[]): Promise<void> {
  const days = incomes.filter(({ grain }) => grain === 'day')
  if (days.length === 0) return
  const [known] = await tx<{ code: string; day: string }[]>`
    select k.code, k.day::text from his_income i
      join unnest(${days.map(each => each.department_code)}::text[], ${days.map(each => each.period_on)}::date[])
        as k(code, day) on k.code = i.his_department_code and date_trunc('month', k.day)::date = i.period_on
     where i.org_id = ${org} and i.grain = 'month' limit 1`
  if (!known) return
  const own = days.find(({ department_code }) => department_code === known.code)!
  throw new BusinessError('rule', `科室${said(own)}${known.day.slice(0, 7)}的收入已按月上报，请按月更正`)
}

/**
 * Stores the incomes of a message: all of them, or none if a department is unknown to us. A message that is older than
 * our data of the same department and period changes nothing; a month replaces its days.
 */
export async function storeIncomes(tx: Tx, org: string, { incomes }: HisReceived): Promise<void> {
  if (incomes.length === 0) return
  await tx`select pg_advisory_xact_lock(hashtextextended('his_income', ${org}::bigint))`
  const ours = await departmentsOf(tx, org, incomes)
  const strange = incomes.filter(({ department_code }) => !ours.has(department_code))
  if (strange.length > 0)
    throw new BusinessError('rule', `科室${strange.map(said).join('、')}未对照，请先在【HIS科室】完成科室对照后重发`)
  const ahead = incomes.find(({ period_on }) => period_on > today())
  if (ahead) throw new BusinessError('rule', `收入期间${periodOf(ahead)}尚未开始，请核对`)
  await refuseDaysOfKnownMonths(tx, org, incomes)
  const rows = incomes.map(({ department_name: _name, ...row }) => ({
    ...row,
    department_id: ours.get(row.department_code),
  }))
  await tx`
    with given as (
      select * from jsonb_to_recordset(${tx.json(rows)}) as k(department_code text,
        department_id bigint, grain text, period_on date, income numeric, drug_income numeric, updated_at timestamptz)
    ), gone as (
      delete from his_income i using given g
       where i.org_id = ${org} and g.grain = 'month' and i.grain = 'day' and i.his_department_code = g.department_code
         and date_trunc('month', i.period_on)::date = g.period_on
    )
    insert into his_income as i (org_id, his_department_code, department_id, grain, period_on, income, drug_income,
      changed_at)
    select ${org}, department_code, department_id, grain, period_on, income, drug_income, updated_at from given
    on conflict (org_id, his_department_code, grain, period_on) do update set department_id = excluded.department_id,
      income = excluded.income, drug_income = excluded.drug_income, changed_at = excluded.changed_at, read_at = now(),
      version = i.version + 1
     where excluded.changed_at >= i.changed_at`
}
