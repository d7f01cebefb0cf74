import type { Sql } from 'postgres'
import type { Config } from '#server/config.ts'
import { watched } from '#server/engine/errors.ts'
import { leaveInOutbox } from '#server/engine/identity/outbox.ts'
import { aliyunSender } from '#server/engine/identity/sms/aliyun.ts'

/** What a code is asked for; also the name of its template. `general` codes serve every form. */
export type SmsPurpose = 'login' | 'register' | 'retrieve_pwd' | 'general'
export type Sms = { readonly phone: string; readonly template: SmsPurpose; readonly code: string }

/** Sends one message or throws; whoever calls answers with a sentence of the house. */
export type SmsSender = (sms: Sms) => Promise<void>

/** The sender that the configuration names. */
export function smsSenderOf(config: Pick<Config, 'sms' | 'dataDir'>): SmsSender {
  if (config.sms.provider === 'aliyun') return aliyunSender(config.sms)
  return sms => leaveInOutbox(config.dataDir, 'sms', sms)
}

/** The same, and a message that could not be sent stands among the platform's failed calls, without its code. */
export const watchedSender =
  (sql: Sql, send: SmsSender): SmsSender =>
  sms => {
    const phone = `${sms.phone.slice(0, 3)}****${sms.phone.slice(7)}`
    const request = JSON.stringify({ phone, template: sms.template })
    return watched(sql, { system: 'sms', name: `SendSms ${sms.template}`, request }, () => send(sms))
  }
