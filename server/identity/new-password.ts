import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isCommonPassword } from '#server/identity/common-passwords.ts'
import { digestOf, isPassword, isPasswordDigest, storedForm } from '#server/identity/passwords.ts'
import { endEverySession } from '#server/identity/sessions.ts'
import { useCode } from '#server/identity/sms/sms-code.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

/** Stored where an account has no password: nothing matches it. */
export const NO_PASSWORD = ''
/** So many earlier passwords may not be chosen again. */
export const KEPT = 5

/** A password chosen by its user: the account, the new one's MD5 hex, and the name of its field in the form. */
export interface ChosenPassword {
  readonly orgId: string
  readonly userId: string
  readonly digest: string
  readonly field: string
  /** A checked code by SMS, used up together with the change. */
  readonly proof?: { readonly phone: string; readonly code: string } | null
}

type Known = {
  readonly login: string
  readonly phone: string | null
  readonly password_hash: string
  readonly former_passwords: readonly string[]
}

/** Gives an account the password that its user chose, and ends all its sessions. */
export async function choosePassword(sql: Sql, chosen: ChosenPassword): Promise<void> {
  const { orgId, userId, proof } = chosen
  const stored = await checkedPassword(sql, chosen)
  await inOrganisation(sql, orgId, userId, async tx => {
    if (proof) await useCode(tx, proof.phone, proof.code)
    await storePassword(tx, userId, stored)
  })
  await endEverySession(sql, chosen.userId)
}

/**
 * The stored form of a chosen password. Refuses common ones, the login name, the phone number and the last five. Only
 * digests arrive, so nothing can be said of the length.
 */
export async function checkedPassword(
  sql: Sql,
  { userId, digest, field }: Omit<ChosenPassword, 'orgId'>,
): Promise<string> {
  const refuse = (msg: string): never => {
    throw new BusinessError('invalid', msg, [{ field, msg }])
  }
  if (!isPasswordDigest(digest)) refuse('新密码格式有误')
  const [known] = await sql<Known[]>`
    select login, phone, password_hash, former_passwords from account_at_door where id = ${userId}`
  if (!known) throw new BusinessError('accountUnknown')
  if (isCommonPassword(digest)) refuse('新密码过于常见，容易被猜中，请另设一个')
  if ([known.login, known.phone].some(word => word !== null && isDigestOf(word, digest)))
    refuse('新密码不能是登录账号或手机号')
  if (await isPassword(known.password_hash, digest)) refuse('新密码不能与当前密码相同')
  for (const former of known.former_passwords)
    if (await isPassword(former, digest)) refuse(`新密码不能与最近${KEPT}次使用过的密码相同`)
  return storedForm(digest)
}

/** The passwords of an account that may not be chosen again, today's first; `count`: how many of them are kept. */
export const lastPasswords = (tx: Tx, count: number) => tx`
    (case when password_hash = ${NO_PASSWORD} then former_passwords
      else password_hash || former_passwords end)[1:${count}]`

/** Stores a checked password; the one before it joins the last five. */
export const storePassword = (tx: Tx, userId: string, stored: string) => tx`
    update app_user set password_hash = ${stored}, must_change = false, password_changed_at = now(),
      first_password_until = null, first_password_is_phone = false, version = version + 1,
      former_passwords = ${lastPasswords(tx, KEPT - 1)}
     where id = ${userId}`

/** True if a digest is that of the word, as it is spelled or in small or capital letters. */
export const isDigestOf = (word: string, digest: string) =>
  [word, word.toLowerCase(), word.toUpperCase()].some(spelling => digestOf(spelling) === digest.toLowerCase())
