import type { TransactionSql } from 'postgres'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import type { Organisations } from '#demo/masters/organisations.ts'
import { idOf, idOrNull, insertRows, newIds } from '#demo/rows.ts'
import { digestOf, storedForm } from '#server/identity/passwords.ts'
import { readyRoles } from '#modules/base/settings/default-roles.ts'
import { permissionsIn } from '#server/menu/menu.ts'

/** The password of every demo account. */
export const demoPassword = 'Spd@2026'

type Account = {
  readonly login: string
  readonly org: string
  readonly name: string
  readonly employee: string | null
  readonly role: string
}

/** Accounts that are printed at start. The second person of an organisation has the same rights as the first. */
export const demoAccounts: readonly Account[] = [
  { login: 'platform', org: 'P01', name: '平台管理员', employee: 'P01-E01', role: '管理员' },
  { login: 'hospital', org: 'H01', name: '设备科科长', employee: 'H01-E02', role: '管理员' },
  { login: 'dealer', org: 'D01', name: '总经理', employee: 'D01-E01', role: '管理员' },
  { login: 'vendor', org: 'V01', name: '商务经理', employee: 'V01-E01', role: '管理员' },
  { login: 'dealer2', org: 'D01', name: '采购员', employee: 'D01-E02', role: '管理员' },
  { login: 'platform2', org: 'P01', name: '产品主数据专员', employee: 'P01-E03', role: '管理员' },
  // A hospital without a HIS: what the other one shows beside it rests here.
  { login: 'h02', org: 'H02', name: '设备科科长', employee: 'H02-E01', role: '管理员' },
  { login: 'vendor2', org: 'V01', name: '质量负责人', employee: 'V01-E02', role: '管理员' },
  { login: 'nurse', org: 'H01', name: '导管室护士长', employee: 'H01-E28', role: '科室护士' },
  { login: 'keeper', org: 'H01', name: '高值库库管员', employee: 'H01-E08', role: '库管员' },
  { login: 'buyer', org: 'H01', name: '耗材采购员', employee: 'H01-E03', role: '采购员' },
  { login: 'finance', org: 'H01', name: '财务科会计', employee: 'H01-E11', role: '财务' },
]

/** Gives every organisation its roles; returns their ids by organisation and name. */
async function loadRoles(tx: TransactionSql, organisations: Organisations): Promise<Map<string, string>> {
  const wanted = [...organisations.organisations.keys()].flatMap(org =>
    readyRoles[org.charAt(0) as OrgType].map(role => ({ org, role })),
  )
  const ids = await newIds(
    tx,
    wanted.map(({ org, role }) => `${org} ${role.name}`),
  )
  await insertRows(
    tx,
    'role',
    wanted.map(({ org, role }) => ({
      id: idOf(ids, `${org} ${role.name}`),
      org_id: idOf(organisations.organisations, org),
      name: role.name,
      description: role.description,
      flags: [...permissionsIn(org.charAt(0) as OrgType, role.groups), ...(role.also ?? [])],
      is_system: false,
    })),
  )
  return ids
}

/** Demo accounts with their roles; returns their ids by login name. */
export async function loadPeople(tx: TransactionSql, organisations: Organisations): Promise<Map<string, string>> {
  const roleIds = await loadRoles(tx, organisations)
  const stored = await storedForm(digestOf(demoPassword))
  const ids = await newIds(
    tx,
    demoAccounts.map(account => account.login),
  )
  const people = new Map(
    (await tx<{ id: string; name: string; phone: string | null }[]>`select id, name, phone from employee`).map(row => [
      row.id,
      row,
    ]),
  )
  await insertRows(
    tx,
    'app_user',
    demoAccounts.map(account => {
      const employee = idOrNull(organisations.employees, account.employee)
      const person = people.get(employee ?? '')
      return {
        id: idOf(ids, account.login),
        org_id: idOf(organisations.organisations, account.org),
        login: account.login,
        password_hash: stored,
        name: person?.name ?? account.name,
        phone: person?.phone ?? null,
        employee_id: employee,
        must_change: false,
        password_cycle: 3650,
        is_administrator: account.role === '管理员',
      }
    }),
  )
  await insertRows(
    tx,
    'user_role',
    demoAccounts
      .filter(account => account.role !== '管理员')
      .map(account => ({
        org_id: idOf(organisations.organisations, account.org),
        user_id: idOf(ids, account.login),
        role_id: idOf(roleIds, `${account.org} ${account.role}`),
      })),
  )
  return ids
}
