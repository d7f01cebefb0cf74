import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { deviceKey } from '#server/registry/connections.ts'

/**
 * Secrets of an account with a provider, sealed by the installation's own: a copy of the database opens none, and
 * those of one organisation are not those of another.
 */
const keyOf = (org: string): Buffer => createHmac('sha256', deviceKey()).update(`einvoice/${org}`).digest()
const NONCE = 12
const TAG = 16

export function sealed(org: string, secret: string): string {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', keyOf(org), nonce)
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
}

/** Null where it was sealed by another secret, or for somebody else: it must be entered again. */
export function opened(org: string, text: string): string | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < NONCE + TAG) return null
  const cipher = createDecipheriv('aes-256-gcm', keyOf(org), bytes.subarray(0, NONCE))
  cipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  try {
    return Buffer.concat([cipher.update(bytes.subarray(NONCE + TAG)), cipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
