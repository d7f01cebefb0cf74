import type { Sql } from 'postgres'
import { type FirstPasswordOrder, firstPasswordSms } from '#server/identity/sms/first-password.ts'
import type { Sms, SmsSender } from '#server/identity/sms/sender.ts'
import type { Carrier } from '#server/outbound/carriers.ts'

/** Sends the messages that actions asked for. A first password is made here: it is in no order. */
export const smsCarrier =
  (sql: Sql, send: SmsSender): Carrier =>
  async (payload, key) => {
    const order = payload as Sms | FirstPasswordOrder
    const sms = 'user' in order ? await firstPasswordSms(sql, order) : order
    if (sms !== null) await send({ ...sms, key })
  }
