import { confirmByTime } from '#modules/settlement/confirm-by-time.server.ts'
import type { Sql } from 'postgres'

const HOUR_MS = 3_600_000

/** Throws away what has served: replies kept for repetition, dead sessions, wrong passwords of yesterday; answers for who stayed silent. Runs as the owner of the tables. */
export async function keepHouse(owner: Sql): Promise<void> {
  await owner`delete from request where at < now() - interval '2 days'`
  await owner`delete from session where expires_at < now()`
  await owner`delete from sign_in_failure where org_id = 0 and at < now() - interval '1 day'`
  await confirmByTime(owner)
}

/** Every hour; gives the function that stops it. */
export function startHousekeeping(owner: Sql): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = keepHouse(owner).catch(() => {})
  }, HOUR_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
