import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sameName } from '#kernel/values/same-name.ts'
import { isPassword, isPasswordDigest } from '#server/identity/passwords.ts'
import { choosePassword, isDigestOf } from '#server/identity/new-password.ts'
import { pendingRegistration } from '#server/identity/registrant.ts'
import { provePhone } from '#server/identity/registrant-password.ts'
import { RateLimited } from '#server/access/overload.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Maximum wrong passwords within the window: for one account from one address, for one account, from one address. */
const limits = { here: 5, account: 20, address: 200 } as const
const WINDOW_MINUTES = 15

export type Account = { readonly id: string; readonly orgId: string }

/** The states of an account and its organisation, which say if it may be used now. */
export type Standing = {
  readonly status: string
  readonly audit_state: string
  readonly audit_reason: string | null
  readonly org_status: string
}
type AccountRow = Standing & {
  readonly id: string
  readonly org_id: string
  readonly password_hash: string
  /** A first password that its holder did not use in time. */
  readonly is_too_late: boolean | null
  /** The password is still the phone number of the registration: changing it asks for a code by SMS. */
  readonly must_verify: boolean
}

/**
 * Refuses an account whose organisation waits for its audit, was rejected or is disabled, and a disabled account. It
 * runs only after the right password or code: nobody else learns the state of an account.
 */
export function refuseUnfit(row: Standing): void {
  if (row.audit_state === 'pending') throw new BusinessError('organisationPending')
  if (row.audit_state === 'refused')
    throw new BusinessError('organisationPending', `机构审核未通过：${row.audit_reason ?? ''}`)
  if (row.org_status !== 'enabled') throw new BusinessError('accountDisabled', '机构已停用，请联系平台')
  if (row.status !== 'enabled') throw new BusinessError('accountDisabled')
}

/** The state of a phone whose registration is not an organisation yet; null where there is none. */
export async function standingOfApplicant(sql: Sql, phone: string): Promise<Standing | null> {
  const registration = await pendingRegistration(sql, phone)
  return registration && { ...registration, status: 'enabled', org_status: 'enabled' }
}

/**
 * Checks name, password and the state of the account. The attempt is recorded before the password is checked and
 * removed when it was right: simultaneous attempts all count. Unknown and known names give the same answer in the same
 * time.
 */
export async function signIn(sql: Sql, login: string, digest: string, address: string): Promise<Account> {
  const row = await checkPassword(sql, { login, digest, address })
  return { id: row.id, orgId: row.org_id }
}

const TOO_LATE = '初始密码已过期（24小时内有效），请用短信验证码登录，或联系管理员重置密码'
const PHONE_TOO_LATE = '初始密码已过期（24小时内有效），请点【重置密码】，凭短信验证码设置新密码'

async function checkPassword(
  sql: Sql,
  { login, digest, address }: { login: string; digest: string; address: string },
  wrong?: string,
): Promise<AccountRow> {
  // Another spelling of a login is no further guess.
  const name = sameName(login)
  const attempt = await writeAttempt(sql, name, address)
  const row = await accountOf(sql, login)
  const right = await isPassword(row?.password_hash ?? null, isPasswordDigest(digest) ? digest : '')
  // A registrant's password is the phone number from the registration on, before there is an account.
  const applicant = !row && isDigestOf(login, digest) ? await standingOfApplicant(sql, login) : null
  if (!applicant && (!right || !row)) throw new BusinessError('wrongPassword', wrong)
  await forgive(sql, attempt, name, address)
  if (applicant) refuseUnfit(applicant)
  if (!row) throw new BusinessError('wrongPassword', wrong)
  refuseUnfit(row)
  if (row.is_too_late) throw new BusinessError('rule', row.must_verify ? PHONE_TOO_LATE : TOO_LATE)
  return row
}

/**
 * The account of a login name, in any spelling. Two accounts from before names were compared this way are distinguished
 * by their exact spelling. An applicant has none before the audit.
 */
async function accountOf(sql: Sql, login: string): Promise<AccountRow | null> {
  const [row] = await sql<AccountRow[]>`
    select u.id, u.org_id, u.password_hash, u.must_verify, u.status, o.audit_state, o.audit_reason,
      o.status as org_status,
      u.first_password_until < now() or (u.must_verify and u.phone is distinct from u.login) as is_too_late
      from account_at_door u join organisation o on o.id = u.org_id where same_name(u.login) = same_name(${login})
     order by u.login = ${login} desc limit 1`
  return row ?? null
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

/** Forgets the wrong passwords of a login, in the transaction that unlocks it. */
export const unlock = (tx: Tx, login: unknown) =>
  tx`delete from sign_in_failure where org_id = 0 and login = ${sameName(String(login))}`

/**
 * Sets a new password after checking the old one, and ends every session of the account, its own too. A first password
 * that is the phone number asks for `code`, which was sent to that phone.
 */
export async function changePassword(
  sql: Sql,
  change: { login: string; old: string; password: string; code: string; address: string },
): Promise<void> {
  const { login, old, address, password, code } = change
  const row = await checkPassword(sql, { login, digest: old, address }, '当前密码不正确')
  const proof = row.must_verify ? await provePhone(sql, login, code) : null
  await choosePassword(sql, { orgId: row.org_id, userId: row.id, digest: password, field: 'password', proof })
}
