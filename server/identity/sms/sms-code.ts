import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { today } from '#kernel/values/date.ts'
import { useAllowance } from '#server/identity/allowance.ts'
import { hashOf } from '#server/identity/sessions.ts'
import type { SmsPurpose, SmsSender } from '#server/identity/sms/sender.ts'
import { RateLimited } from '#server/access/overload.ts'
import type { Tx } from '#server/database/transaction.ts'

export const smsSeconds = { valid: 300, resend: 60 } as const
const WRONG_TRIES = 5
const DAY = 86_400
/**
 * SMS limits: per day to one phone; per hour and day from one address (a hospital may share one); per day for the
 * whole installation.
 */
const limits = { phone: 10, addressHour: 300, addressDay: 2000, server: 20_000 } as const

const keyOf = (phone: string) => hashOf(`sms ${phone}`)
const hashOfCode = (phone: string, code: string) => createHash('sha256').update(`${phone} ${code}`).digest('hex')

/**
 * Creates a code of six digits, stores its hash, and sends it. At most one a minute to a phone, whichever form asks.
 */
export async function sendCode(
  sql: Sql,
  send: SmsSender,
  to: { readonly phone: string; readonly purpose: SmsPurpose; readonly address: string },
): Promise<void> {
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  await sql.begin(async tx => {
    await keepCode(tx, to.phone, code, to.purpose)
    await countMessage(tx, to.phone, to.address)
  })
  try {
    await send({ phone: to.phone, template: to.purpose, code })
  } catch (error) {
    // A code that was not sent does not block an immediate new request.
    await sql`delete from sms_code where token_hash = ${keyOf(to.phone)} and code_hash = ${hashOfCode(to.phone, code)}`
    throw Object.assign(new BusinessError('smsFailed'), { cause: error })
  }
}

async function keepCode(tx: Tx, phone: string, code: string, purpose: SmsPurpose): Promise<void> {
  const [kept] = await tx`
    insert into sms_code as s (token_hash, code_hash, purpose, sent_at, expires_at)
    values (${keyOf(phone)}, ${hashOfCode(phone, code)}, ${purpose}, now(),
      now() + make_interval(secs => ${smsSeconds.valid}))
    on conflict (token_hash) do update set code_hash = excluded.code_hash, purpose = excluded.purpose, tries = 0,
           sent_at = excluded.sent_at, expires_at = excluded.expires_at
     where s.sent_at <= excluded.sent_at - make_interval(secs => ${smsSeconds.resend})
    returning token_hash`
  if (kept) return
  const [row] = await tx<{ wait: number }[]>`
    select least(${smsSeconds.resend},
      greatest(1, ceil(${smsSeconds.resend} - extract(epoch from now() - sent_at))))::int as wait
      from sms_code where token_hash = ${keyOf(phone)}`
  throw new BusinessError('smsTooSoon', `验证码发送过于频繁，请${row?.wait ?? smsSeconds.resend}秒后再试`)
}

async function countMessage(tx: Tx, phone: string, address: string): Promise<void> {
  const day = today()
  const ofPhone = await useAllowance(tx, { name: `sms phone ${phone} ${day}`, most: limits.phone, seconds: DAY })
  if (!ofPhone.isAllowed) throw new BusinessError('smsTooMany')
  const others = [
    { name: `sms address ${address}`, most: limits.addressHour, seconds: 3600 },
    { name: `sms address ${address} ${day}`, most: limits.addressDay, seconds: DAY },
    { name: `sms server ${day}`, most: limits.server, seconds: DAY },
  ]
  for (const other of others) {
    const { isAllowed, wait } = await useAllowance(tx, other)
    if (!isAllowed) throw new RateLimited(wait)
  }
}

/**
 * Checks the phone's code without using it up: a form that fails for another reason is sent again with the same
 * code. The try is counted before the check and uncounted when it was right, so simultaneous tries all count.
 */
export async function mustBeCode(sql: Sql, phone: string, code: string, purpose: SmsPurpose): Promise<void> {
  const [row] = await sql<{ code_hash: string }[]>`
    update sms_code set tries = tries + 1
     where token_hash = ${keyOf(phone)} and expires_at > now() and tries <= ${WRONG_TRIES}
       and purpose in (${purpose}, 'general')
    returning code_hash`
  if (!row) throw new BusinessError('smsGone')
  const [kept, given] = [row.code_hash, hashOfCode(phone, code)]
  if (!timingSafeEqual(Buffer.from(kept), Buffer.from(given))) throw new BusinessError('smsWrong')
  await sql`update sms_code set tries = tries - 1 where token_hash = ${keyOf(phone)} and code_hash = ${kept}
    and tries > 0`
}

/**
 * Uses a code up, in the transaction that needed it; of two at once, one finds it gone. The phone must still wait
 * its minute for the next.
 */
export async function useCode(tx: Tx, phone: string, code: string): Promise<void> {
  const used = await tx`
    update sms_code set expires_at = now()
     where token_hash = ${keyOf(phone)} and code_hash = ${hashOfCode(phone, code)} and expires_at > now()
       returning token_hash`
  if (used.length === 0) throw new BusinessError('smsGone')
}
