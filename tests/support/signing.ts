import { storedForm } from '#server/identity/passwords.ts'
import type { TestServer } from './test-server.ts'

/** What somebody shows who signs where another is signed in. */
export type SigningProof = { readonly badge: string; readonly pin: string }

const PIN = '246813'

/** Gives an employee a badge and an account with a PIN for signing. */
export async function signingProof({ database: { owner } }: TestServer, employee: string): Promise<SigningProof> {
  const badge = `SIGN-${employee}`
  const [user] = await owner<{ id: string; org_id: string }[]>`
    with named as (update employee set badge_no = ${badge} where id = ${employee} returning id, org_id, name)
    insert into app_user (org_id, login, password_hash, name, employee_id)
    select org_id, ${`signer${employee}`}, '', name, id from named returning id, org_id`
  await owner`
    insert into signing_pin (org_id, user_id, pin_hash) values (${user!.org_id}, ${user!.id}, ${await storedForm(PIN)})`
  return { badge, pin: PIN }
}
