import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'

const current = new AsyncLocalStorage<string>()

/** Runs work that may be repeated after a crash: the same message to the same receiver is sent once. */
export const inDelivery = <T>(key: string, work: () => Promise<T>): Promise<T> => current.run(key, work)

/** The key of a message within its delivery; null outside of a delivery. */
export function deliveryOf(receiver: string, words: readonly (string | null | undefined)[]): string | null {
  const key = current.getStore()
  if (key === undefined) return null
  const digest = createHash('sha256').update(JSON.stringify([receiver, ...words]))
  return `${key}:${digest.digest('base64url')}`
}
