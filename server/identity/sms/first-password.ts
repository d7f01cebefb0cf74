import { randomInt } from 'node:crypto'
import type { Sql } from 'postgres'
import { KEPT, lastPasswords, NO_PASSWORD } from '#server/identity/new-password.ts'
import { digestOf, storedForm } from '#server/identity/passwords.ts'
import { maskedPhone, type Sms } from '#server/identity/sms/sender.ts'
import { askOutbound, performOutbound } from '#server/outbound/calls.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

/** Hours for which a first password is valid. */
export const FIRST_PASSWORD_HOURS = 24
const CALL = 'SendSms FIRST_PASSWORD'

/** The order to send a first password. It contains no password: that is made at the moment of sending. */
export interface FirstPasswordOrder {
  readonly template: 'FIRST_PASSWORD'
  readonly user: string
}

/** The account that gets a first password: a new one, or one whose password is reset. */
export interface FirstPasswordHolder {
  readonly id: string
  readonly login: string
  readonly phone: string
}

/**
 * In the transaction of the action: the account has no password any more and no session, and its holder will get a
 * first one by SMS. Nobody else sees it: it is neither in the reply nor in the database.
 */
export async function orderFirstPassword(tx: Tx, org: string, holder: FirstPasswordHolder): Promise<void> {
  await tx`
    update app_user set must_change = true, password_changed_at = now(), first_password_until = null,
      first_password_is_phone = false, former_passwords = ${lastPasswords(tx, KEPT)},
      password_hash = ${NO_PASSWORD}
     where id = ${holder.id}`
  await tx`delete from session where user_id = ${holder.id}`
  const payload: FirstPasswordOrder = { template: 'FIRST_PASSWORD', user: holder.id }
  await askOutbound(tx, org, {
    system: 'sms',
    name: CALL,
    subject: '初始密码',
    objectNo: holder.login,
    payload,
    request: JSON.stringify({ phone: maskedPhone(holder.phone), template: payload.template }),
  })
}

/** Without letters and digits that look alike. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const LENGTH = 10
const randomPassword = () => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/**
 * The message with a new first password for an account that waits for one. It is stored before it is sent: a repeated
 * sending makes another. Null when the account waits no longer, because its user has chosen one by phone.
 */
export async function firstPasswordSms(sql: Sql, { user, template }: FirstPasswordOrder): Promise<Sms | null> {
  const code = randomPassword()
  const stored = await storedForm(digestOf(code))
  const [account] = await sql<{ org_id: string }[]>`select org_id from account_at_door where id = ${user}`
  if (!account) return null
  const [row] = await inOrganisation(
    sql,
    account.org_id,
    user,
    tx => tx<{ phone: string | null }[]>`
    update app_user set password_hash = ${stored},
      first_password_until = now() + make_interval(hours => ${FIRST_PASSWORD_HOURS})
     where id = ${user} and must_change and (password_hash = ${NO_PASSWORD} or first_password_until is not null)
    returning phone`,
  )
  return row?.phone ? { phone: row.phone, template, code } : null
}

/** Sends the first passwords that an organisation ordered, right after the action: nobody waits for the next round. */
export async function sendFirstPasswords(sql: Sql, org: string): Promise<void> {
  const rows = await inOrganisation(
    sql,
    org,
    '0',
    tx => tx<{ id: string }[]>`
    select id from outbound_call where org_id = ${org} and state = 'pending' and name = ${CALL} order by id limit 10`,
  )
  for (const { id } of rows) await performOutbound(sql, org, id)
}
