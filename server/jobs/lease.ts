import type { Sql } from 'postgres'
import type { BackgroundJob } from '#server/jobs/job.ts'

/** A server that does not renew its leases for this long has crashed: others run its jobs. */
export const LEASE_SECONDS = 15

/** The result of a run. */
export type Outcome = { readonly tookMs: number; readonly error: string | null }

/** Makes the jobs known, with their present titles and intervals; those of a former version are forgotten later. */
export async function registerJobs(owner: Sql, jobs: readonly BackgroundJob[]): Promise<void> {
  const rows = jobs.map(({ name, title, everySeconds }) => ({ name, title, every_seconds: everySeconds }))
  await owner`
    insert into background_job (name, title, every_seconds)
    select name, title, every_seconds
      from jsonb_to_recordset(${owner.json(rows)}) as k(name text, title text, every_seconds int)
    on conflict (name) do update set title = excluded.title, every_seconds = excluded.every_seconds`
  // A version before this one may still run beside it.
  await owner`
    delete from background_job where name <> all(${jobs.map(({ name }) => name)})
      and coalesce(started_at, registered_at) < now() - interval '7 days'`
}

/**
 * Takes the leases of all jobs among these that are due and that no server runs now; returns their names. One
 * statement: two servers never get the same job.
 */
export async function takeDueLeases(owner: Sql, names: readonly string[], token: string): Promise<string[]> {
  const rows = await owner<{ name: string }[]>`
    update background_job set lease_token = ${token},
      lease_expires_at = now() + make_interval(secs => ${LEASE_SECONDS}),
      started_at = now()
     where name = any(${names as string[]}) and (lease_expires_at is null or lease_expires_at < now())
       and coalesce(started_at, registered_at) + make_interval(secs => every_seconds) <= now()
    returning name`
  return rows.map(row => row.name)
}

/** Keeps these leases; returns the names of those that were kept. */
export async function renewLeases(owner: Sql, names: readonly string[], token: string): Promise<string[]> {
  const rows = await owner<{ name: string }[]>`
    update background_job set lease_expires_at = now() + make_interval(secs => ${LEASE_SECONDS})
     where name = any(${names as string[]}) and lease_token = ${token} returning name`
  return rows.map(row => row.name)
}

/** The run ended: its lease is free, and its outcome is stored. A lease that another server holds by now stays. */
export const recordRun = (owner: Sql, name: string, token: string, { tookMs, error }: Outcome) =>
  owner`
    update background_job set runs = runs + 1, failures = failures + ${error === null ? 0 : 1}, took_ms = ${tookMs},
      last_success_at = case when ${error === null} then now() else last_success_at end,
      last_failure_at = case when ${error === null} then last_failure_at else now() end,
      last_error = coalesce(${error?.slice(0, 2000) ?? null}, last_error),
      lease_expires_at = case when lease_token = ${token} then null else lease_expires_at end,
      lease_token = case when lease_token = ${token} then null else lease_token end
     where name = ${name}`

/** Gives leases back whose jobs were not begun. */
export const releaseLeases = (owner: Sql, names: readonly string[], token: string) =>
  owner`
    update background_job set lease_expires_at = null, lease_token = null
     where name = any(${names as string[]}) and lease_token = ${token}`
