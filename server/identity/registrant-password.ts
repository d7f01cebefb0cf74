import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { digestOf, storedForm } from '#server/identity/passwords.ts'
import { FIRST_PASSWORD_HOURS } from '#server/identity/sms/first-password.ts'
import { mustBeCode } from '#server/identity/sms/sms-code.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * Makes the registrant's phone number the first password of the account, as the specification's sections 6 and 8 say.
 * Others know a phone number too: this password opens only the change of password, which asks for a code sent to that
 * phone, and it ends after a day.
 */
export async function beginWithPhone(tx: Tx, account: { readonly id: string; readonly phone: string }): Promise<void> {
  await tx`
    update app_user set password_hash = ${await storedForm(digestOf(account.phone))}, must_change = true,
      password_changed_at = now(), first_password_is_phone = true,
      first_password_until = now() + make_interval(hours => ${FIRST_PASSWORD_HOURS})
     where id = ${account.id}`
}

/** Checks the code that the holder of a phone got for a change of password; refuses an empty one by its field. */
export async function provePhone(sql: Sql, phone: string, code: string): Promise<{ phone: string; code: string }> {
  const msg = '请填写短信验证码'
  if (code === '') throw new BusinessError('invalid', msg, [{ field: 'VerifyCode', msg }])
  await mustBeCode(sql, phone, code, 'change_pwd')
  return { phone, code }
}
