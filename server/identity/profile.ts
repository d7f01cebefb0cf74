import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { systemType } from '#kernel/values/organisation-type.ts'
import type { SignedIn } from '#server/identity/sessions.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

type EmployeeRow = {
  employee_inner_sn: string | null
  employee_sn: string | null
  name: string | null
  sex: string | null
  position: string | null
  photo_url: string | null
  description: string | null
  status: string | null
  phone: string
  password_cycle: number
  org_phone: string | null
  vip_level: number
  uses_system: boolean
}

/**
 * The login result: the user, the organisation and what the client stores of them; `withStores` adds the warehouse
 * list of a restore. A session whose password others may know gets the account's own name and nothing more.
 */
export function profileOf(sql: Sql, session: SignedIn, withStores: boolean): Promise<Record<string, unknown>> {
  return inOrganisation(sql, session.org.id, session.userId, async tx => {
    const { mustVerify } = session
    const employee = mustVerify ? undefined : await readEmployee(tx, session)
    return {
      r_id: session.rId,
      session_expire: session.expiresAt,
      vip_level: employee?.vip_level ?? 0,
      is_use_system: employee?.uses_system === false ? 0 : 1,
      departments: mustVerify ? [] : await readDepartments(tx, session),
      user_info: {
        belong: session.org.id,
        system_type: systemType[session.org.type],
        password_cycle: employee?.password_cycle ?? 90,
        user_inner_sn: session.userId,
        user_name: session.login,
        name: session.userName,
        org_code: session.org.code,
        org_name: session.org.name,
        must_change: session.mustChange,
        must_verify: mustVerify,
      },
      employee_info: {
        description: employee?.description ?? '',
        employee_inner_sn: employee?.employee_inner_sn ?? '',
        employee_sn: employee?.employee_sn ?? '',
        name: employee?.name ?? session.userName,
        org_name: session.org.name,
        org_phone: employee?.org_phone ?? '',
        photo_url: employee?.photo_url ?? '',
        position: employee?.position ?? '',
        sex: employee?.sex ?? '',
        status: employee?.status ?? 'enabled',
      },
      ...(withStores && !mustVerify ? { warehouse_list: await readStores(tx, session) } : {}),
    }
  })
}

async function readEmployee(tx: Tx, session: SignedIn): Promise<EmployeeRow | undefined> {
  const [row] = await tx<EmployeeRow[]>`
    select e.id as employee_inner_sn, e.code as employee_sn, e.name, e.sex, e.position, e.photo_url, e.description,
      e.status,
           coalesce((select c.value::int from org_config c where c.org_id = o.id and c.name = 'password_cycle'
             and c.valid_from <= ${today()}), u.password_cycle) as password_cycle, o.registrant_phone as org_phone,
             o.uses_system,
           case when o.vip_until is null or o.vip_until >= ${today()} then o.vip_level else 0 end as vip_level
      from app_user u
      join organisation o on o.id = u.org_id
      left join employee e on e.org_id = ${session.org.id} and e.id = u.employee_id
     where u.id = ${session.userId}`
  return row
}

const readDepartments = (tx: Tx, session: SignedIn) => tx`
  select id as department_inner_sn, name from department
   where org_id = ${session.org.id} and status = 'enabled' order by sort_no, id`

const readStores = (tx: Tx, session: SignedIn) => tx`
  select id as warehouse_model_inner_sn, name from warehouse
   where org_id = ${session.org.id} and status = 'enabled' and model not in ('transit', 'consumed', 'stopSale')
     and (${session.warehouses === 'all'}
       or id = any(${session.warehouses === 'all' ? [] : [...session.warehouses]}::bigint[]))
   order by model <> 'central', id`
