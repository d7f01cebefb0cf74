import type { ColumnMapping, ReadPreview } from '#kernel/tables/foreign-table.ts'
import type { CallFailure } from '#web/engine/http/request-error.ts'

/** The user's choice of the columns of a file; with `preview` the server only returns how it would be read. */
export type ColumnChoice = ColumnMapping & { readonly kind: string; readonly preview?: true }
export type Answer = { readonly reason: string }

/**
 * Prompts a call may need from the user. The request layer has no UI: the shell registers these when mounted, and
 * tests register others.
 */
type Asks = {
  /** Resolves once the user signed in again; rejects if the user gave up. */
  signInAgain: (rejection: CallFailure) => Promise<void>
  /** Resolves to the answer, or to null if cancelled. */
  confirmQuestions: (asked: CallFailure) => Promise<Answer | null>
  /**
   * Resolves to the columns of a file, or to null if cancelled; `tryOut` says how the file would be read with some.
   */
  chooseColumns: (
    asked: CallFailure,
    tryOut: (choice: ColumnChoice) => Promise<ReadPreview>,
  ) => Promise<ColumnChoice | null>
  /** The server reports no session: go to /Login. */
  goToSignIn: () => void
  /** Shows an error that occurred in the background, outside any page. */
  notify: (sentence: string) => void
}

/** Errors that came before the shell was mounted; they are shown once it is. */
const unshown: string[] = []

export const asks: Asks = {
  signInAgain: rejection => Promise.reject(rejection),
  confirmQuestions: () => Promise.resolve(null),
  chooseColumns: () => Promise.resolve(null),
  goToSignIn: () => undefined,
  notify: sentence => void unshown.push(sentence),
}

/** Registers the prompts; errors that came before are shown now. */
export function lendAsks(given: Partial<Asks>): void {
  Object.assign(asks, given)
  if (given.notify !== undefined) for (const sentence of new Set(unshown.splice(0))) given.notify(sentence)
}
/** Another user does not read what failed for the one before. */
export const dropUnshown = (): void => void unshown.splice(0)

/**
 * True if a rejected session may still open the dialog. Giving up clears this, so that calls still under way do not
 * open it again; the sign-in page sets it again.
 */
let mayAsk = true
export const mayAskToSignIn = (): boolean => mayAsk
export const letAskToSignIn = (leave: boolean): void => {
  mayAsk = leave
}
