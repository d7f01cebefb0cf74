import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** What a device signs of a request. */
export type Signed = {
  readonly method: string
  /** Path and query as they stand in the request line. */
  readonly target: string
  /** Unix seconds, as text. */
  readonly time: string
  readonly nonce: string
  readonly body: Buffer | string
}

/** Five lines: method, path with query, time, nonce, SHA-256 of the body in hex (of nothing where there is no body). */
export const textToSign = ({ method, target, time, nonce, body }: Signed): string =>
  [method.toUpperCase(), target, time, nonce, createHash('sha256').update(body).digest('hex')].join('\n')

/** HMAC-SHA256 of the five lines with the secret of the device, in hex. */
export const signatureOf = (secret: string, signed: Signed): string =>
  createHmac('sha256', secret).update(textToSign(signed)).digest('hex')

/** Whether a signature is the right one; takes the same time wherever it differs. */
export function isSigned(secret: string, signed: Signed, given: string): boolean {
  const [wanted, found] = [Buffer.from(signatureOf(secret, signed), 'utf8'), Buffer.from(given, 'utf8')]
  return wanted.length === found.length && timingSafeEqual(wanted, found)
}
