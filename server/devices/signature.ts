import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The parts of a request that a device signs. */
export type Signed = {
  readonly method: string
  /** Path and query as in the request line. */
  readonly target: string
  /** Unix seconds, as text. */
  readonly time: string
  readonly nonce: string
  readonly body: Buffer | string
}

/**
 * Five lines: method, path with query, time, nonce, SHA-256 of the body in hex (of the empty body where there is
 * none).
 */
export const textToSign = ({ method, target, time, nonce, body }: Signed): string =>
  [method.toUpperCase(), target, time, nonce, createHash('sha256').update(body).digest('hex')].join('\n')

/** HMAC-SHA256 of the five lines with the secret of the device, in hex. */
export const signatureOf = (secret: string, signed: Signed): string =>
  createHmac('sha256', secret).update(textToSign(signed)).digest('hex')

/** True if a signature is right; takes constant time. */
export function isSigned(secret: string, signed: Signed, given: string): boolean {
  const [wanted, found] = [Buffer.from(signatureOf(secret, signed), 'utf8'), Buffer.from(given, 'utf8')]
  return wanted.length === found.length && timingSafeEqual(wanted, found)
}
