import { AsyncLocalStorage } from 'node:async_hooks'

type Answer = { readonly value: unknown } | { readonly error: unknown }
type Place = { isOpen: boolean; readonly answers: ReadonlyMap<string, Answer> }

/** The transaction that the running code is part of. */
const current = new AsyncLocalStorage<Place>()

/** True if the running code holds a connection of the database: then it waits for nobody. */
export const isInTransaction = (): boolean => current.getStore()?.isOpen === true

/** Ends a transaction that needs something from outside; it begins again when that is there. */
class AskedOutside extends Error {
  readonly key: string
  readonly ask: () => Promise<unknown>
  constructor(key: string, ask: () => Promise<unknown>) {
    super(`a transaction needs ${key} and was not begun so that it can wait for it`)
    this.key = key
    this.ask = ask
  }
}

/**
 * Long waits do not happen inside a transaction: it is rolled back, `ask` runs, and the transaction runs again from its
 * beginning and finds the answer, or the error of `ask`. `key` names the answer within the transaction.
 */
export function askedBetween<T>(key: string, ask: () => Promise<T>): T {
  const answer = current.getStore()?.answers.get(key)
  if (answer === undefined) throw new AskedOutside(key, ask)
  if ('error' in answer) throw answer.error
  return answer.value as T
}

/** Marks what `work` does as part of a transaction. */
export async function asTransaction<T>(work: () => Promise<T>): Promise<T> {
  const before = current.getStore()
  if (before?.isOpen) return work()
  const place: Place = { isOpen: true, answers: before?.answers ?? new Map() }
  try {
    return await current.run(place, work)
  } finally {
    place.isOpen = false
  }
}

/** Runs a transaction until nothing from outside is missing; what was answered is asked once. */
export async function askingBetween<T>(transaction: () => Promise<T>): Promise<T> {
  if (isInTransaction()) return transaction()
  const answers = new Map<string, Answer>()
  for (;;) {
    try {
      return await current.run({ isOpen: false, answers }, transaction)
    } catch (error) {
      if (!(error instanceof AskedOutside)) throw error
      answers.set(error.key, await answerOf(error.ask))
    }
  }
}

const answerOf = (ask: () => Promise<unknown>): Promise<Answer> =>
  ask().then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  )
