import { createHash, randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import type { Session } from '#server/access/session.ts'
import { loanStore } from '#server/documents/posting/locations.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

/** Hours without a call after which a session ends. */
export const sessionHours = 12
/** Days after which a session ends however much it is used: once a week the password is asked for (ASVS 7.3.2). */
export const sessionDays = 7

/** A user signed in through a browser or another client, as one request sees it. */
export type SignedIn = Session & {
  readonly login: string
  readonly isAdministrator: boolean
  /** The password is the phone number of the registration: it proves nobody, so only its change is open. */
  readonly mustVerify: boolean
  /** The organisation's service level has expired: read-only access. */
  readonly readsOnly: boolean
  readonly tokenHash: string
  /** Opens `/ws` and nothing else. */
  readonly rId: string
  readonly expiresAt: string
}

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

export type NewSession = { readonly token: string; readonly rId: string }

/** Opens a session. The token is given to the client once; the database only stores its hash. */
export async function openSession(
  sql: Sql,
  who: { userId: string; orgId: string; address: string; agent: string },
): Promise<NewSession> {
  const opened = { token: randomBytes(32).toString('base64url'), rId: randomBytes(24).toString('base64url') }
  await sql`
    insert into session (token_hash, user_id, org_id, r_id, expires_at, address, agent)
    values (${hashOf(opened.token)}, ${who.userId}, ${who.orgId}, ${opened.rId},
      now() + make_interval(hours => ${sessionHours}), ${who.address}, ${who.agent})`
  return opened
}

/** A user's current rights, for work done in the user's name in the background; null when there are none any more. */
export async function sessionNow(
  sql: Sql,
  who: { userId: string; orgId: string; agent: string },
): Promise<SignedIn | null> {
  const { token } = await openSession(sql, { ...who, address: '' })
  try {
    return await findSession(sql, token, '')
  } finally {
    await endSession(sql, hashOf(token))
  }
}

type Row = {
  user_id: string
  org_id: string
  r_id: string
  agent: string | null
  expires_at: string
  is_stale: boolean
  login: string
  user_name: string
  is_administrator: boolean
  store_scope: string
  data_scope: string
  must_change: boolean
  must_verify: boolean
  is_expired: boolean | null
  org_code: string
  org_name: string
  system_type: number
  flags: string[] | null
  /** The platform's maximum rights for organisations of this sort; null: everything. */
  bound: string[] | null
}

/** The user of a token, or null when its session has ended, its user is disabled or its organisation stopped. */
export async function findSession(sql: Sql, token: string, address: string): Promise<SignedIn | null> {
  const tokenHash = hashOf(token)
  const [row] = await sql<Row[]>`
    select s.user_id, s.org_id, s.r_id, s.expires_at, s.agent, s.seen_at < now() - interval '5 minutes' as is_stale,
           u.login, u.name as user_name, u.is_administrator, u.must_verify,
           u.store_scope, u.data_scope,
           u.must_change or (u.password_days > 0
             and u.password_changed_at < now() - make_interval(days => u.password_days)) as must_change,
           o.vip_until < ${today()} and exists (
             select 1 from vip_level v where v.system_type = o.system_type and v.code = o.vip_level
               and v.expire_mode = 'readonly') as is_expired,
           o.code as org_code, o.name as org_name, o.system_type,
           case when not u.is_administrator then (
             select coalesce(array_agg(distinct g.flag), '{}') from right_at_door g
              where g.user_id = u.id
                and coalesce(u.rights_from, ${today()}::date) <= ${today()}
                  and coalesce(u.rights_to, ${today()}::date) >= ${today()}) end as flags,
           (select case when b.is_whole then null else b.flags end from system_role b
             where b.system_type = o.system_type and b.status = 'enabled'
               and (b.only_org_id = o.id or (b.only_org_id is null and b.vip_level in (0, o.vip_level)))
             order by (b.only_org_id is not null) desc, b.vip_level desc limit 1) as bound
      from session s
      join account_at_door u on u.id = s.user_id and u.status = 'enabled'
      join organisation o on o.id = s.org_id and o.status = 'enabled' and o.audit_state = 'passed'
     where s.token_hash = ${tokenHash} and s.expires_at > now()`
  if (!row) return null
  if (row.is_stale) await touch(sql, tokenHash)
  return {
    userId: row.user_id,
    userName: row.user_name,
    login: row.login,
    isAdministrator: row.is_administrator,
    mustChange: row.must_change,
    mustVerify: row.must_verify,
    readsOnly: row.is_expired === true,
    org: { id: row.org_id, code: row.org_code, name: row.org_name, type: orgTypeOf(row.system_type) },
    flags: flagsWithin(row.flags, row.bound),
    ...(row.is_administrator ? boundToNothing : await dataScopeOf(sql, row)),
    tokenHash,
    rId: row.r_id,
    expiresAt: row.expires_at,
    address,
    ...(row.agent ? { agent: row.agent } : {}),
  }
}

/** Rights that are neither page nor button; an organisation's limit only covers pages and buttons. */
const beyondPages = ['patient', 'price', 'figures']

/** A user's rights, limited to what the platform permits the organisation. An administrator has all of those. */
function flagsWithin(flags: readonly string[] | null, bound: readonly string[] | null): ReadonlySet<string> | 'all' {
  if (bound === null) return flags === null ? 'all' : new Set(flags)
  const most = new Set([...bound, ...beyondPages])
  return flags === null ? most : new Set(flags.filter(flag => most.has(flag)))
}

/** Every call extends the session, up to its last day; written at most every five minutes. */
const touch = (sql: Sql, tokenHash: string) => sql`
  update session set seen_at = now(),
         expires_at = least(now() + make_interval(hours => ${sessionHours}),
           created_at + make_interval(days => ${sessionDays}))
   where token_hash = ${tokenHash}`

const boundToNothing = { warehouses: 'all', departments: 'all', ownOnly: false } as const

type DataScope = Pick<Session, 'warehouses' | 'actsIn' | 'storesOfDepartments' | 'departments' | 'ownOnly'>
type Bound = Pick<Row, 'org_id' | 'user_id' | 'store_scope' | 'data_scope'>

/** The stores and departments a user is bound to, read for every call: a change takes effect at the next click. */
export const dataScopeOf = (sql: Sql, user: Bound): Promise<DataScope> =>
  inOrganisation(sql, user.org_id, user.user_id, tx => scopeWithin(tx, user))

/** The same for any user of the organisation, on behalf of the acting user. */
export async function scopeWithin(
  tx: Tx,
  { org_id: org, user_id: user, store_scope: stores, data_scope: scope }: Bound,
): Promise<DataScope> {
  const bound = await tx<{ id: string }[]>`
    select warehouse_id as id from user_scope where org_id = ${org} and user_id = ${user}`
  const free = stores === 'all' && bound.length === 0
  const departments = await departmentsOf(tx, org, user, scope)
  const named = free ? null : bound.map(row => row.id)
  const within =
    departments === null
      ? { warehouses: named === null ? ('all' as const) : new Set(named) }
      : await storesWithin(
          tx,
          org,
          departments.map(row => row.id),
          named,
        )
  return {
    ...(await alsoOnLoan(tx, org, within)),
    departments: departments === null ? 'all' : new Set(departments.map(row => row.id)),
    ownOnly: scope === 'own',
  }
}

/**
 * The stores of users who are bound to departments: never one of another department. A store of no department is seen
 * by all. A user with a ward acts only in that ward's stores, unless bound to the other store by name.
 */
async function storesWithin(
  tx: Tx,
  org: string,
  departments: readonly string[],
  named: readonly string[] | null,
): Promise<Pick<Session, 'warehouses' | 'actsIn' | 'storesOfDepartments'>> {
  const stores = await tx<{ id: string; department_id: string | null }[]>`
    select id, department_id from warehouse
     where org_id = ${org} and (department_id is null or department_id = any(${departments as string[]}::bigint[]))
       ${named === null ? tx`` : tx`and id = any(${named as string[]}::bigint[])`}`
  const warehouses = new Set(stores.map(store => store.id))
  if (named !== null) return { warehouses }
  const own = stores.filter(store => store.department_id !== null)
  return {
    warehouses,
    storesOfDepartments: true,
    ...(own.length > 0 ? { actsIn: new Set(own.map(store => store.id)) } : {}),
  }
}

/**
 * Goods on loan for operations belong to no department: users who take part in an operation use them out of the loan
 * store.
 */
async function alsoOnLoan<Within extends Pick<Session, 'warehouses' | 'actsIn'>>(
  tx: Tx,
  org: string,
  within: Within,
): Promise<Within> {
  const own = within.actsIn ?? within.warehouses
  if (own === 'all') return within
  const loan = await tx<{ id: string }[]>`select id from warehouse where org_id = ${org} and model = ${loanStore.model}`
  return { ...within, actsIn: new Set([...own, ...loan.map(row => row.id)]) }
}

/** Departments of a scope: those named, the employee's own, or the own one with all below. */
async function departmentsOf(
  tx: Tx,
  org: string,
  user: string,
  scope: string,
): Promise<readonly { id: string }[] | null> {
  switch (scope) {
    case 'chosen':
      return tx<{ id: string }[]>`
        select department_id as id from user_department where org_id = ${org} and user_id = ${user}`
    case 'department':
      return tx<{ id: string }[]>`
        select e.department_id as id from app_user u join employee e on e.org_id = ${org} and e.id = u.employee_id
         where u.id = ${user} and e.department_id is not null`
    case 'tree':
      return tx<{ id: string }[]>`
        with recursive below as (
          select e.department_id as id from app_user u join employee e on e.org_id = ${org} and e.id = u.employee_id
           where u.id = ${user} and e.department_id is not null
           union
          select d.id from department d join below b on d.parent_id = b.id where d.org_id = ${org})
        select id from below`
    default:
      return null
  }
}

export async function endSession(sql: Sql, tokenHash: string): Promise<void> {
  await sql`delete from session where token_hash = ${tokenHash}`
  await sayEnded(sql)
}

/** Sessions ended: every process checks which of its realtime connections must close. */
const sayEnded = (sql: Sql) => sql`select pg_notify('medtrace', '{"ended":true}')`

/** After a change of the password, or where the account was stopped: no cookie gives access any more. */
export const endEverySession = (sql: Sql, userId: string): Promise<void> => endOtherSessions(sql, userId, null)

/** Ends every session of a user but one. */
export async function endOtherSessions(sql: Sql, userId: string, but: string | null): Promise<void> {
  await sql`delete from session where user_id = ${userId} and token_hash is distinct from ${but}`
  await sayEnded(sql)
}
