import { createHash } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { BusinessError } from '#kernel/rules/errors.ts'

/**
 * Passwords are sent as the MD5 hex of the input and stored as argon2id of that text. Hashing is slow by design:
 * only a few run at a time, a few more wait, and later ones are asked to retry.
 */
const AT_ONCE = 3
const WAITING = 60
let running = 0
const queue: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (queue.length >= WAITING) throw new BusinessError('tooMany')
    await new Promise<void>(resolve => queue.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else running--
  }
}

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** argon2id of a random password: checking it takes as long for an unknown name as for a known one. */
let nobodys: Promise<string> | null = null

/** The digest of a password that the sign-in page sends: its MD5 hex. */
export const digestOf = (password: string): string => createHash('md5').update(password).digest('hex')
export const isPasswordDigest = (text: string): boolean => /^[0-9a-f]{32}$/i.test(text)

/** The stored form of a password's MD5 hex. */
export const storedForm = (digest: string): Promise<string> => inTurn(() => hash(digest.toLowerCase(), COST))

/**
 * True if `digest` is that of the password. Where none is stored (no such account, or one without a password) the check
 * takes the same time and fails.
 */
export async function isPassword(stored: string | null, digest: string): Promise<boolean> {
  nobodys ??= hash('no password has this form', COST)
  const against = stored || (await nobodys)
  const right = await inTurn(() => verify(against, digest.toLowerCase()))
  return right && Boolean(stored)
}
