import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isPassword, isPasswordDigest, storedForm } from '#server/identity/passwords.ts'
import { pendingRegistration } from '#server/identity/registrant.ts'
import { endOtherSessions } from '#server/identity/sessions.ts'
import { RateLimited } from '#server/access/overload.ts'

/** Maximum wrong passwords within the window: for one account from one address, for one account, from one address. */
const limits = { here: 5, account: 20, address: 200 } as const
const WINDOW_MINUTES = 15

export type Account = { readonly id: string; readonly orgId: string }

/** Whether an account may be used now, by its own state and its organisation's. */
export type Standing = {
  readonly status: string
  readonly audit_state: string
  readonly audit_reason: string | null
  readonly org_status: string
}
type AccountRow = Standing & { readonly id: string; readonly org_id: string; readonly password_hash: string }

/** Refuses an account whose organisation waits for its audit or was rejected, and a disabled account. */
export function refuseUnfit(row: Standing): void {
  if (row.audit_state === 'pending') throw new BusinessError('organisationPending')
  if (row.audit_state === 'refused')
    throw new BusinessError('organisationPending', `机构审核未通过：${row.audit_reason ?? ''}`)
  if (row.status !== 'enabled' || row.org_status !== 'enabled') throw new BusinessError('accountDisabled')
}

/**
 * Checks name and password. The attempt is recorded before the password is checked and removed when it was right:
 * simultaneous attempts all count. Unknown and known names give the same answer in the same time.
 */
export async function signIn(sql: Sql, login: string, digest: string, address: string): Promise<Account> {
  const row = await checkPassword(sql, login, digest, address)
  refuseUnfit(row)
  return { id: row.id, orgId: row.org_id }
}

async function checkPassword(sql: Sql, login: string, digest: string, address: string): Promise<AccountRow> {
  const attempt = await writeAttempt(sql, login, address)
  const row = await accountOf(sql, login)
  const right = await isPassword(row?.password_hash ?? null, isPasswordDigest(digest) ? digest : '')
  if (!right || !row) throw new BusinessError('wrongPassword')
  await forgive(sql, attempt, login, address)
  return row
}

/**
 * The account of a login name; for an organisation that is only registered so far, the one kept by its registration.
 */
async function accountOf(sql: Sql, login: string): Promise<AccountRow | null> {
  const [row] = await sql<AccountRow[]>`
    select u.id, u.org_id, u.password_hash, u.status, o.audit_state, o.audit_reason, o.status as org_status
      from app_user u join organisation o on o.id = u.org_id where u.login = ${login}`
  if (row) return row
  const registration = await pendingRegistration(sql, login)
  return registration && { ...registration, id: '0', org_id: '0', status: 'enabled', org_status: 'enabled' }
}

/** Records the attempt as a failure and refuses it when there were too many; returns its id. */
async function writeAttempt(sql: Sql, login: string, address: string): Promise<string> {
  const [attempt] = await sql<{ id: string }[]>`
    insert into sign_in_failure (org_id, login, address) values (0, ${login}, ${address}) returning id`
  const id = attempt?.id ?? '0'
  const [counted] = await sql<{ here: number; account: number; address: number }[]>`
    select count(*) filter (where login = ${login} and address = ${address})::int as here,
           count(*) filter (where login = ${login})::int as account,
           count(*) filter (where address = ${address})::int as address
      from sign_in_failure
     where org_id = 0 and (login = ${login} or address = ${address})
       and at > now() - make_interval(mins => ${WINDOW_MINUTES})`
  const isFlood = (counted?.address ?? 0) > limits.address
  const isLocked = (counted?.here ?? 0) > limits.here || (counted?.account ?? 0) > limits.account
  if (!isFlood && !isLocked) return id
  // Refused without checking: it must not extend the lock.
  await sql`delete from sign_in_failure where org_id = 0 and id = ${id}`
  if (isFlood) throw new RateLimited(WINDOW_MINUTES * 60)
  throw new BusinessError('accountLocked')
}

/** The right password clears the wrong ones from this address, and those too old to count. */
const forgive = (sql: Sql, attempt: string, login: string, address: string) => sql`
  delete from sign_in_failure
   where org_id = 0
     and (id = ${attempt} or (login = ${login} and address = ${address}) or at < now() - interval '1 day')`

/** Sets a new password after checking the old one, and ends the user's other sessions. */
export async function changePassword(
  sql: Sql,
  change: { login: string; old: string; password: string; address: string; keepSession: string | null },
): Promise<void> {
  const row = await checkPassword(sql, change.login, change.old, change.address)
  refuseUnfit(row)
  if (!isPasswordDigest(change.password))
    throw new BusinessError('invalid', '新密码格式有误', [{ field: 'password', msg: '新密码格式有误' }])
  if (change.password.toLowerCase() === change.old.toLowerCase()) {
    throw new BusinessError('invalid', '新密码不能与当前密码相同', [
      { field: 'password', msg: '新密码不能与当前密码相同' },
    ])
  }
  const stored = await storedForm(change.password)
  await sql`
    update app_user set password_hash = ${stored}, must_change = false, password_changed_at = now(),
      version = version + 1 where id = ${row.id}`
  await endOtherSessions(sql, row.id, change.keepSession)
}
