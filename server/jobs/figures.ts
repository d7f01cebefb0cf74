import type { Sql } from 'postgres'

/** The figures of one background job, over all servers. */
export type JobFigures = {
  readonly name: string
  readonly runs: number
  readonly failures: number
  readonly is_running: boolean
  readonly took_seconds: string | null
  readonly succeeded_at: string | null
  readonly failed_at: string | null
}

/** The figures of background jobs for operators; times are seconds since 1970, as Prometheus counts. */
export const jobFigures = (sql: Sql): Promise<JobFigures[]> => sql<JobFigures[]>`
  select name, runs, failures, is_running, (took_ms / 1000.0)::numeric(12,3) as took_seconds,
    extract(epoch from last_success_at)::bigint as succeeded_at,
    extract(epoch from last_failure_at)::bigint as failed_at
    from background_job_state order by name`
