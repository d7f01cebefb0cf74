import { BusinessError } from '#kernel/rules/errors.ts'
import { allRows, connectedHis, type HisDepartment, type HisStaff } from '#server/public/outbound.ts'
import { type Fragment, remoteAction } from '#server/public/records.ts'
import { settingsFor } from '#server/public/settings.ts'
import type { Tx } from '#server/public/database.ts'

/** The moment of the last change in our copy; rows changed at that moment may be read again, which changes nothing. */
const lastChange = async (tx: Tx, table: 'his_staff' | 'his_department', org: string): Promise<string | null> => {
  const [row] = await tx<{ at: string | null }[]>`
    select to_char(max(changed_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from ${tx(table)} where org_id = ${org}`
  return row?.at ?? null
}

/** Stores departments of the HIS in our copy; one with the code of a single department of ours is mapped to it. */
async function storeDepartments(tx: Tx, org: string, rows: readonly HisDepartment[]): Promise<void> {
  await tx`
    insert into his_department as d (org_id, his_department_code, his_department_name, parent_code, is_active,
      changed_at, read_at)
    select distinct on (department_code) ${org}, department_code, department_name, parent_code, is_active, updated_at,
      now()
      from jsonb_to_recordset(${tx.json(rows)}) as k(department_code text,
        department_name text, parent_code text, is_active boolean, updated_at timestamptz)
     order by department_code, updated_at desc
    on conflict (org_id, his_department_code) do update set his_department_name = excluded.his_department_name,
      parent_code = excluded.parent_code, is_active = excluded.is_active, changed_at = excluded.changed_at,
      read_at = excluded.read_at, version = d.version + 1`
  await tx`
    update his_department h set department_id = m.id, version = h.version + 1
      from (select d.his_code, min(d.id) as id from department d
             where d.org_id = ${org} and d.his_code is not null and d.status = 'enabled'
             group by d.his_code having count(*) = 1) m
     where h.org_id = ${org} and h.department_id is null and h.his_department_code = m.his_code`
}

/** Stores people of the HIS in our copy; changes of known people go into their history. */
async function storeStaff(tx: Tx, org: string, rows: readonly HisStaff[]): Promise<{ added: number }> {
  const [counted] = await tx<{ added: number }[]>`
    with given as (
      select distinct on (staff_no) * from jsonb_to_recordset(${tx.json(rows)}) as k(
        staff_no text, staff_name text, sex text, department_code text, department_name text, staff_kind text,
        professional_title text, position text, mobile text, is_active boolean, updated_at timestamptz)
       order by staff_no, updated_at desc
    ), before as (
      select s.* from his_staff s join given g on g.staff_no = s.staff_no where s.org_id = ${org}
    ), noted as (
      insert into his_staff_change (org_id, staff_id, field_name, old_value, new_value)
      select ${org}, b.id, v.field_name, v.old_value, v.new_value
        from before b join given g on g.staff_no = b.staff_no
       cross join lateral (values
         ('staff_name', b.staff_name, g.staff_name),
         ('department', concat_ws(' ', b.his_department_code, b.his_department_name),
           concat_ws(' ', g.department_code, g.department_name)),
         ('professional_title', b.professional_title, g.professional_title),
         ('position', b.position, g.position),
         ('is_active', case when b.is_active then '在职' else '离职' end,
           case when g.is_active then '在职' else '离职' end)
       ) as v(field_name, old_value, new_value)
       where v.old_value is distinct from v.new_value
    ), written as (
      insert into his_staff as s (org_id, staff_no, staff_name, sex, his_department_code, his_department_name,
        staff_kind, professional_title, position, mobile, is_active, changed_at, read_at)
      select ${org}, staff_no, staff_name, sex, department_code, department_name, staff_kind, professional_title,
        position, mobile, is_active, updated_at, now() from given
      on conflict (org_id, staff_no) do update set staff_name = excluded.staff_name, sex = excluded.sex,
        his_department_code = excluded.his_department_code, his_department_name = excluded.his_department_name,
        staff_kind = excluded.staff_kind, professional_title = excluded.professional_title,
        position = excluded.position, mobile = excluded.mobile, is_active = excluded.is_active,
        changed_at = excluded.changed_at, read_at = excluded.read_at, version = s.version + 1
      returning s.staff_no
    )
    select (count(*) filter (where b.id is null))::int as added
      from written w left join before b on b.staff_no = w.staff_no`
  return counted!
}

/** Links each person to an employee by a condition, if the match is unique on both sides. */
async function linkWhere(tx: Tx, org: string, isSame: Fragment): Promise<number> {
  const linked = await tx`
    with free as (
      select s.id as staff_id, e.id as employee_id, count(*) over (partition by s.id) as of_staff,
             count(*) over (partition by e.id) as of_employee
        from his_staff s join employee e on e.org_id = s.org_id and ${isSame}
       where s.org_id = ${org} and s.employee_id is null and not s.is_kept_apart
         and not exists (select 1 from his_staff o where o.org_id = ${org} and o.employee_id = e.id)
    ), linked as (
      update his_staff s set employee_id = f.employee_id, version = s.version + 1 from free f
       where s.org_id = ${org} and s.id = f.staff_id and f.of_staff = 1 and f.of_employee = 1
      returning s.employee_id, s.staff_no
    )
    update employee e set his_staff_no = l.staff_no from linked l where e.org_id = ${org} and e.id = l.employee_id
    returning e.id`
  return linked.length
}

/** By equal work number, then by equal name and mobile number; people who were unlinked by hand stay unlinked. */
async function linkByThemselves(tx: Tx, org: string): Promise<number> {
  const isNumber = tx`(e.his_staff_no = s.staff_no or (e.his_staff_no is null and e.code = s.staff_no))`
  const byNumber = await linkWhere(tx, org, isNumber)
  return byNumber + (await linkWhere(tx, org, tx`e.name = s.staff_name and e.phone = s.mobile`))
}

/**
 * Stops the accounts of people who have left according to the HIS; the employee stays. The organisation's administrator
 * is not locked out: the answer names them.
 */
async function stopLeavers(tx: Tx, org: string): Promise<{ stopped: number; spared: string[] }> {
  const stopped = await tx<{ id: string }[]>`
    update app_user u set status = 'disabled', version = u.version + 1 from his_staff s
     where u.org_id = ${org} and u.status = 'enabled' and not u.is_administrator and s.org_id = ${org}
       and s.employee_id = u.employee_id and not s.is_active returning u.id`
  await tx`delete from session where user_id = any(${stopped.map(({ id }) => id)}::bigint[])`
  const spared = await tx<{ login: string }[]>`
    select u.login from app_user u join his_staff s on s.org_id = u.org_id and s.employee_id = u.employee_id
     where u.org_id = ${org} and u.status = 'enabled' and not s.is_active order by u.login`
  return { stopped: stopped.length, spared: spared.map(({ login }) => login) }
}

/** People and departments of a HIS, as far as they were read. */
type Read = { readonly departments: readonly HisDepartment[]; readonly staff: readonly HisStaff[] }

/** Reads the people changed since the last time, or all. */
export async function askPeople(tx: Tx, org: string, isWhole: boolean): Promise<() => Promise<Read>> {
  const his = await connectedHis(tx, org)
  if (his === null) throw new BusinessError('rule', '本机构未接通HIS接口，不能同步')
  const since = (table: 'his_staff' | 'his_department') => (isWhole ? null : lastChange(tx, table, org))
  const [ofDepartments, ofStaff] = [await since('his_department'), await since('his_staff')]
  return async () => ({
    departments: await allRows(his.departments(ofDepartments)),
    staff: await allRows(his.staff(ofStaff)),
  })
}

/** Stores people and departments. Returns the result, in a sentence. */
export async function takePeople(tx: Tx, org: string, { departments, staff }: Read): Promise<string> {
  await storeDepartments(tx, org, departments)
  const { added } = await storeStaff(tx, org, staff)
  const linked = await linkByThemselves(tx, org)
  const { stops_his_leavers: stops } = await settingsFor(tx, org)
  const { stopped, spared } = stops ? await stopLeavers(tx, org) : { stopped: 0, spared: [] }
  const alone = spared.length === 0 ? '' : `；${spared.join('、')}已离职但为管理员，请先移交管理员再停用`
  return `同步${departments.length}个科室、${staff.length}名人员，新增${added}名，自动关联${linked}名，停用${stopped}个账号${alone}`
}

export const syncStaff = remoteAction<Read>({
  asks: ({ tx, session, asked: { whole } }) => askPeople(tx, session.org.id, whole === true),
  writes: async (read, { tx, session }) => ({ said: await takePeople(tx, session.org.id, read) }),
})
