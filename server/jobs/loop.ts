import type { Sql } from 'postgres'

/** One look over everything that a crash or an error left behind; may be cut short and is repeated. */
export type Job = (app: Sql, owner: Sql) => Promise<unknown>

const PAUSE_MS = 2_000

/** Walks the rounds one after another, again and again; one that fails is tried at the next turn. Gives the function that stops it. */
export function startJobLoop(database: { app: Sql; owner: Sql }, rounds: readonly Job[]): () => Promise<void> {
  let running: Promise<void> | null = null
  const walk = async () => {
    for (const round of rounds) await round(database.app, database.owner).catch(() => null)
    running = null
  }
  running = walk()
  const timer = setInterval(() => {
    running ??= walk()
  }, PAUSE_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
