import type { CallFailure } from '#web/engine/failure.ts'

export type Answer = { readonly reason: string }

/**
 * What a call may need from the person in front of it. The request layer draws nothing: the shell lends it these two
 * doors when it is mounted, and a test lends others.
 */
type Asks = {
  /** Resolves once somebody signed in again; rejects when he gave up. */
  signInAgain: (rejection: CallFailure) => Promise<void>
  /** Resolves to the answer, or to null when the person would rather not. */
  confirmQuestions: (asked: CallFailure) => Promise<Answer | null>
}

export const asks: Asks = {
  signInAgain: rejection => Promise.reject(rejection),
  confirmQuestions: () => Promise.resolve(null),
}

export const lendAsks = (given: Partial<Asks>): void => void Object.assign(asks, given)
