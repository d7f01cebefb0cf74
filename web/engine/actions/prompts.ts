import type { CallFailure } from '#web/engine/http/request-error.ts'

export type Answer = { readonly reason: string }

/**
 * What a call may need from the person in front of it. The request layer draws nothing: the shell lends it these
 * doors when it is mounted, and a test lends others.
 */
type Asks = {
  /** Resolves once somebody signed in again; rejects when he gave up. */
  signInAgain: (rejection: CallFailure) => Promise<void>
  /** Resolves to the answer, or to null when the person would rather not. */
  confirmQuestions: (asked: CallFailure) => Promise<Answer | null>
  /** The server says that nobody is signed in here: the way leads to /Login. */
  goToSignIn: () => void
  /** Says what went wrong behind the pages, where no page is there to say it. */
  notify: (sentence: string) => void
}

export const asks: Asks = {
  signInAgain: rejection => Promise.reject(rejection),
  confirmQuestions: () => Promise.resolve(null),
  goToSignIn: () => undefined,
  notify: () => undefined,
}

export const lendAsks = (given: Partial<Asks>): void => void Object.assign(asks, given)

/**
 * Whether a rejected session may still open the dialog. Giving up takes the leave away, so that calls which are still on
 * their way do not open it again; the sign-in page gives it back.
 */
let mayAsk = true
export const mayAskToSignIn = (): boolean => mayAsk
export const letAskToSignIn = (leave: boolean): void => {
  mayAsk = leave
}
