import { boundedFetch } from '#server/network/bounded-fetch.ts'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { Sms, SmsSender } from '#server/identity/sms/sender.ts'

/**
 * Aliyun's short message service: the key pair of its console, the signature shown before each message, and the
 * approved template of each purpose.
 */
export type AliyunSms = {
  readonly provider: 'aliyun'
  readonly endpoint: string
  readonly accessKeyId: string
  readonly accessKeySecret: string
  readonly signName: string
  /** A notice without its own template cannot be sent. */
  readonly templates: Readonly<Record<Sms['template'], string | null>>
}

export type SignedCall = {
  readonly method: 'POST' | 'GET'
  readonly host: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

const ALGORITHM = 'ACS3-HMAC-SHA256'
const VERSION = '2017-05-25'
const TIMEOUT_MS = 10_000
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** RFC 3986: Aliyun requires encoding some characters that encodeURIComponent does not encode. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, found => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)

export const queryTextOf = (query: Readonly<Record<string, string>>): string =>
  Object.keys(query)
    .sort()
    .map(name => `${encode(name)}=${encode(query[name] ?? '')}`)
    .join('&')

/**
 * The Authorization header of Aliyun's signature version 3: HMAC-SHA256 over the canonical request (method, path,
 * sorted query, lower-case signed headers, hash of the empty body).
 */
export function authorizationOf(call: SignedCall, key: { readonly id: string; readonly secret: string }): string {
  const signed = Object.keys(call.headers).sort()
  const canonical = [
    call.method,
    '/',
    queryTextOf(call.query),
    ...signed.map(name => `${name}:${(call.headers[name] ?? '').trim()}`),
    '',
    signed.join(';'),
    call.headers['x-acs-content-sha256'],
  ].join('\n')
  const signature = createHmac('sha256', key.secret)
    .update(`${ALGORITHM}\n${sha256(canonical)}`)
    .digest('hex')
  return `${ALGORITHM} Credential=${key.id},SignedHeaders=${signed.join(';')},Signature=${signature}`
}

/** The HTTP call that sends one message. */
export function sendSmsCall(
  config: AliyunSms,
  sms: Sms,
  now: { readonly at: Date; readonly nonce: string },
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const query = {
    PhoneNumbers: sms.phone,
    SignName: config.signName,
    TemplateCode: config.templates[sms.template] ?? '',
    TemplateParam: JSON.stringify(sms.code === undefined ? { text: sms.text ?? '' } : { code: sms.code }),
    // The same for every retry: an accepted message is recognised by it.
    ...(sms.key === undefined ? {} : { OutId: sms.key }),
  }
  const host = new URL(config.endpoint).host
  const headers = {
    host,
    'x-acs-action': 'SendSms',
    'x-acs-content-sha256': sha256(''),
    'x-acs-date': now.at.toISOString().replace(/\.\d{3}Z$/, 'Z'),
    'x-acs-signature-nonce': now.nonce,
    'x-acs-version': VERSION,
  }
  const authorization = authorizationOf(
    { method: 'POST', host, query, headers },
    { id: config.accessKeyId, secret: config.accessKeySecret },
  )
  return { url: `${config.endpoint}/?${queryTextOf(query)}`, headers: { ...headers, authorization } }
}

/** The service's message when it did not accept the SMS. */
export class AliyunRefused extends Error {}

/** Sends through Aliyun's SendSms. `Code` of the reply is OK, or names why not (isv.BUSINESS_LIMIT_CONTROL …). */
export function aliyunSender(config: AliyunSms, call: typeof boundedFetch = boundedFetch): SmsSender {
  return async sms => {
    if (config.templates[sms.template] === null) throw new AliyunRefused(`没有配置${sms.template}的短信模板`)
    const { url, headers } = sendSmsCall(config, sms, { at: new Date(), nonce: randomUUID() })
    const reply = await call(url, { method: 'POST', headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    // A reply that is no JSON is a refusal: its status says which.
    const notified = (await reply.json().catch(() => ({}))) as { Code?: string; Message?: string; RequestId?: string }
    if (notified.Code !== 'OK')
      throw new AliyunRefused(
        `${reply.status} ${notified.Code ?? ''} ${notified.Message ?? ''} ${notified.RequestId ?? ''}`,
      )
  }
}
