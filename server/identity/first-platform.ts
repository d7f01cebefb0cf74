import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { digestOf, storedForm } from '#server/identity/passwords.ts'

/** Login name of the first account of a new network. */
const LOGIN = 'platform'

/**
 * Gives a database without organisations the platform, which admits all others, and its first administrator. Returns
 * the password to be shown once, or null where an organisation existed already. Several processes at once create one
 * platform.
 */
export async function openPlatform(owner: Sql): Promise<{ login: string; password: string } | null> {
  const password = randomBytes(9).toString('base64url')
  const stored = await storedForm(digestOf(password))
  return owner.begin(async tx => {
    await tx`select pg_advisory_xact_lock(hashtext('medtrace platform'))`
    const [known] = await tx`select 1 from organisation limit 1`
    if (known) return null
    const [platform] = await tx<{ id: string }[]>`
      insert into organisation (code, name, system_type, social_credit_code, pinyin)
      values ('P01', '平台运营方', 0, '000000000000000000', 'ptyyf') returning id`
    await tx`
      insert into app_user (org_id, login, password_hash, name, must_change, is_administrator)
      values (${platform?.id ?? ''}, ${LOGIN}, ${stored}, '平台管理员', true, true)`
    return { login: LOGIN, password }
  })
}
