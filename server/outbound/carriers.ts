import type { Tx } from '#server/database/transaction.ts'

/**
 * Another system's answer, as shown to users who look into a call. What it means for our own rows is written
 * `afterwards`, in the transaction that notes the success.
 */
export type Answered = {
  readonly status?: number
  readonly text?: string
  readonly afterwards?: (tx: Tx) => Promise<void>
} | void

/** Why a try failed, in the words that people read, and by what; whether it was the last that is made by itself. */
export type Failure = { readonly error: string; readonly cause: Error; readonly isLast: boolean }

/**
 * Sends a call to another system. The key is the same for every try, so that the other side can refuse duplicates.
 * Throws when the call did not succeed; what that means for our own rows is written by `failed`, in the transaction
 * that notes it.
 */
export type Carrier = {
  (payload: unknown, key: string, org: string): Promise<Answered>
  readonly failed?: (tx: Tx, org: string, payload: unknown, failure: Failure) => Promise<void>
}
