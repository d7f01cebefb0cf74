import type { Sql } from 'postgres'
import type { Config } from '#server/config.ts'
import { leaveInOutbox } from '#server/identity/outbox.ts'
import { aliyunSender } from '#server/identity/sms/aliyun.ts'
import { askOutbound, watched } from '#server/outbound/calls.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The purpose of a code; also the name of its template. `general` codes are valid for every form. */
export type SmsPurpose = 'login' | 'register' | 'retrieve_pwd' | 'change_pwd' | 'general'
/**
 * Messages without a code that is typed at once: the first password of an account; a message of the platform;
 * expiring licences.
 */
export type SmsNotice = 'FIRST_PASSWORD' | 'announcement' | 'licence_expiry'
/** `text` is the content of a template other than a code's; `key` is the same for every try of one message. */
export type Sms = {
  readonly phone: string
  readonly template: SmsPurpose | SmsNotice
  readonly code?: string
  readonly text?: string
  readonly key?: string
}

/** Sends one message or throws; the caller answers with its own message. */
export type SmsSender = (sms: Sms) => Promise<void>

/** The sender that the configuration names. */
export function smsSenderOf(config: Pick<Config, 'sms' | 'dataDir'>): SmsSender {
  if (config.sms.provider === 'aliyun') return aliyunSender(config.sms)
  return sms => leaveInOutbox(config.dataDir, 'sms', sms)
}

export const maskedPhone = (phone: string): string => `${phone.slice(0, 3)}****${phone.slice(7)}`
const notified = ({ phone, template }: Sms): string => JSON.stringify({ phone: maskedPhone(phone), template })

/**
 * A code is sent at once or not at all: the user requests it again, and an old one is never sent after a new one.
 * Its attempt is listed among the platform's calls, without the code.
 */
export const watchedSender =
  (sql: Sql, send: SmsSender): SmsSender =>
  sms =>
    watched(
      sql,
      { system: 'sms', name: `SendSms ${sms.template}`, subject: '短信验证码', request: notified(sms) },
      key => send({ ...sms, key }),
    )

/** Other messages are requested in the transaction of the action and retried until sent. */
export const askSms = (tx: Tx, org: string, sms: Sms, objectNo?: string): Promise<string> =>
  askOutbound(tx, org, {
    system: 'sms',
    name: `SendSms ${sms.template}`,
    subject: '短信通知',
    ...(objectNo === undefined ? {} : { objectNo }),
    payload: sms,
    request: notified(sms),
  })
