import type { Sql } from 'postgres'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import { demoPassword } from '#demo/masters/people.ts'
import type { Masters } from '#demo/masters/masters.ts'
import { idOf, insertRows, newIds } from '#demo/rows.ts'
import { type DemoRow, demoTable } from '#demo/tables.ts'
import { digestOf, storedForm } from '#server/identity/passwords.ts'
import type { Session } from '#server/access/session.ts'

/** The posts in an organisation. A post without a person falls to the head; an employee with an account comes first. */
export type Post = 'head' | 'buyer' | 'seller' | 'keeper' | 'ward' | 'finance'
export type People = (org: string, post: Post, employee?: string | null) => Session

const posts: Readonly<Record<string, Post>> = {
  医院管理员: 'head',
  企业管理员: 'head',
  采购员: 'buyer',
  销售员: 'seller',
  库管员: 'keeper',
  科室护士长: 'ward',
  科室护士: 'ward',
  财务: 'finance',
}
const roleNames: Readonly<Record<Post, string>> = {
  head: '',
  buyer: '采购员',
  seller: '销售员',
  keeper: '库管员',
  ward: '科室护士',
  finance: '财务',
}

/**
 * Employees who write documents and are not among the printed accounts get their own account: their phone is the
 * login.
 */
export async function openPeople(sql: Sql, masters: Masters): Promise<People> {
  const known = await sql<{ employee_id: string }[]>`select employee_id from app_user where employee_id is not null`
  const taken = new Set(known.map(row => row.employee_id))
  const staff = demoTable('employees').filter(
    row => row.org_code !== 'P01' && row.status === '在职' && row.has_account === '1',
  )
  const fresh = staff.filter(
    row => posts[row.suggested_role ?? ''] && !taken.has(idOf(masters.employees, row.employee_code)),
  )
  await sql.begin(async tx => {
    const password = await storedForm(digestOf(demoPassword))
    const ids = await newIds(
      tx,
      fresh.map(row => row.employee_code ?? ''),
    )
    await insertRows(
      tx,
      'app_user',
      fresh.map(row => ({
        id: idOf(ids, row.employee_code),
        org_id: idOf(masters.organisations, row.org_code),
        login: row.phone ?? '',
        password_hash: password,
        name: row.name ?? '',
        phone: row.phone ?? null,
        employee_id: idOf(masters.employees, row.employee_code),
        must_change: false,
        password_cycle: 3650,
        is_administrator: isHead(row),
      })),
    )
    const roles = await tx<{ id: string; org_id: string; name: string }[]>`select id, org_id, name from role`
    await insertRows(
      tx,
      'user_role',
      fresh.flatMap(row => {
        const role = roles.find(
          candidate =>
            candidate.org_id === masters.organisations.get(row.org_code ?? '') &&
            candidate.name === roleNames[posts[row.suggested_role ?? '']!],
        )
        return role && !isHead(row)
          ? [{ org_id: role.org_id, user_id: idOf(ids, row.employee_code), role_id: role.id }]
          : []
      }),
    )
  })
  return sessionsOf(sql, staff, masters)
}

/** A maker's commercial manager is its head. */
const isHead = (row: DemoRow): boolean =>
  posts[row.suggested_role ?? ''] === 'head' ||
  (row.org_code?.startsWith('V') === true && row.suggested_role === '销售员')

async function sessionsOf(sql: Sql, staff: readonly DemoRow[], masters: Masters): Promise<People> {
  const users = await sql<
    {
      id: string
      name: string
      employee_id: string
      org_id: string
      code: string
      org_name: string
      system_type: number
    }[]
  >`
    select u.id, u.name, u.employee_id, u.org_id, o.code, o.name as org_name, o.system_type from app_user u
      join organisation o on o.id = u.org_id where u.employee_id is not null order by u.id`
  const sessions = new Map<string, Session>()
  for (const user of users) {
    const row = staff.find(candidate => masters.employees.get(candidate.employee_code ?? '') === user.employee_id)
    const session: Session = {
      userId: user.id,
      userName: user.name,
      org: { id: user.org_id, code: user.code, name: user.org_name, type: orgTypeOf(user.system_type) },
      flags: 'all',
      warehouses: 'all',
      departments: 'all',
      ownOnly: false,
      mustChange: false,
      address: 'demo',
    }
    for (const post of row ? new Set([isHead(row) ? 'head' : null, posts[row.suggested_role ?? ''] ?? null]) : [])
      if (post && !sessions.has(`${user.code}/${post}`)) sessions.set(`${user.code}/${post}`, session)
    if (!sessions.has(`${user.code}/any`)) sessions.set(`${user.code}/any`, session)
    if (row) sessions.set(row.employee_code ?? '', session)
  }
  return (org, post, employee) => {
    const session =
      sessions.get(employee ?? '') ??
      sessions.get(`${org}/${post}`) ??
      sessions.get(`${org}/head`) ??
      sessions.get(`${org}/any`)
    if (!session) throw new Error(`${org} has nobody who could write a document`)
    return session
  }
}
