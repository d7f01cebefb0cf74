/** Errors of work that nobody waits for: no reply can carry them, so they are logged and counted here. */

type ErrorLog = (facts: object, text: string) => void

let write: ErrorLog = (facts, text) => console.error(text, facts)
const counts = new Map<string, number>()

/** Sets the log to which reported errors are written, once the program has one. */
export function reportErrorsTo(log: ErrorLog): void {
  write = log
}

/** Logs and counts an error under the name of the work that failed. */
export function reportError(doing: string, error: unknown): void {
  counts.set(doing, (counts.get(doing) ?? 0) + 1)
  write({ err: error, doing }, 'background error')
}

/** The number of failures of each work since the start. */
export const reportedErrors = (): ReadonlyMap<string, number> => counts
