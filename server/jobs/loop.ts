import type { Sql } from 'postgres'

/** One pass over everything that a crash or an error left behind; may be interrupted and is repeated. */
export type Job = (app: Sql, owner: Sql) => Promise<unknown>

const PAUSE_MS = 2_000

/**
 * Runs the jobs one after another, repeatedly; a failed one is retried at the next turn. Returns the function that
 * stops it.
 */
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
