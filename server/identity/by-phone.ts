import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { checkedPassword, storePassword } from '#server/identity/new-password.ts'
import { endEverySession } from '#server/identity/sessions.ts'
import { refuseUnfit, standingOfApplicant, unlock } from '#server/identity/sign-in.ts'
import type { Account, Standing } from '#server/identity/sign-in.ts'
import { mustBeCode, useCode } from '#server/identity/sms/sms-code.ts'
import { inOrganisation } from '#server/database/transaction.ts'

type PhoneAccount = Standing & { readonly id: string; readonly org_id: string; readonly login: string }

/**
 * The account of a phone: of those that name it as their phone the one with this login name, else the only enabled
 * one. An account whose phone is another one is not its holder's, whatever its login name. Looked up after the code was
 * right: the phone's holder may know its accounts.
 */
async function accountOfPhone(sql: Sql, phone: string): Promise<PhoneAccount> {
  const rows = await sql<PhoneAccount[]>`
    select u.id, u.org_id, u.login, u.status, o.audit_state, o.audit_reason, o.status as org_status
      from account_at_door u join organisation o on o.id = u.org_id where coalesce(u.phone, u.login) = ${phone}
     order by (u.login = ${phone}) desc, (u.status = 'enabled' and o.status = 'enabled') desc limit 3`
  const [first, second] = rows
  if (!first) {
    const applicant = await standingOfApplicant(sql, phone)
    if (applicant) refuseUnfit(applicant)
    throw new BusinessError('accountUnknown')
  }
  const isClear = first.login === phone || !second || second.status !== 'enabled' || second.org_status !== 'enabled'
  if (!isClear) throw new BusinessError('accountAmbiguous')
  return first
}

/** Signs in with the code that was sent to the phone. Only success uses the code up. */
export async function signInByCode(sql: Sql, phone: string, code: string): Promise<Account> {
  await mustBeCode(sql, phone, code, 'login')
  const account = await accountOfPhone(sql, phone)
  refuseUnfit(account)
  await sql.begin(tx => useCode(tx, phone, code))
  return { id: account.id, orgId: account.org_id }
}

/** Step one of recovering a password: the code is right and the phone has an account that may be used. */
export async function checkRecovery(sql: Sql, phone: string, code: string): Promise<void> {
  await mustBeCode(sql, phone, code, 'retrieve_pwd')
  refuseUnfit(await accountOfPhone(sql, phone))
}

/** Step two: the new password. It ends every session of the account and unlocks it. */
export async function recoverPassword(sql: Sql, phone: string, code: string, digest: string): Promise<void> {
  await mustBeCode(sql, phone, code, 'retrieve_pwd')
  const account = await accountOfPhone(sql, phone)
  refuseUnfit(account)
  // A refused password does not use the code up.
  const stored = await checkedPassword(sql, { userId: account.id, digest, field: 'Password' })
  await inOrganisation(sql, account.org_id, account.id, async tx => {
    await useCode(tx, phone, code)
    await storePassword(tx, account.id, stored)
    await unlock(tx, account.login)
  })
  await endEverySession(sql, account.id)
}
