import { fileFigures } from '#server/file-workers/figures.ts'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { reportedErrors, reportError } from '#server/audit/reported-errors.ts'
import { askDatabase } from '#server/database/readiness.ts'
import { type JobFigures, jobFigures } from '#server/jobs/figures.ts'

/** Upper bounds in seconds for counting reply times, as a Prometheus histogram requires. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Proxies in front of the program may ask for the head of the answer alone. */
const WITHOUT_BODY = { exposeHeadRoute: true }

type Series = { count: number; seconds: number; readonly below: number[] }

/** The addresses that operators query: alive, ready, and metrics. */
export function addHealth(app: FastifyInstance, sql: Sql): void {
  const series = new Map<string, Series>()
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const key = `method="${request.method}",route="${route}",status="${reply.statusCode}"`
    const one = series.get(key) ?? { count: 0, seconds: 0, below: buckets.map(() => 0) }
    const seconds = reply.elapsedTime / 1000
    one.count++
    one.seconds += seconds
    buckets.forEach((bucket, index) => {
      if (seconds <= bucket) one.below[index] = (one.below[index] ?? 0) + 1
    })
    series.set(key, one)
  })

  const lag = monitorEventLoopDelay({ resolution: 20 })
  lag.enable()
  app.addHook('onClose', async () => void lag.disable())

  app.get('/healthz', WITHOUT_BODY, async () => ({ code: 0, msg: '' }))
  app.get('/readyz', WITHOUT_BODY, async (request, reply) => {
    try {
      await askDatabase(sql)
      return { code: 0, msg: '', info: { database: true } }
    } catch (error) {
      request.log.error({ err: error }, 'not ready')
      return reply.code(503).send({ code: 9999, msg: '数据库不可用' })
    }
  })
  // The event loop lag since the last query.
  app.get('/metrics', async (_, reply) => {
    const windows = app.websocketServer.clients.size
    const lagSeconds = Number.isFinite(lag.mean) ? lag.percentile(99) / 1e9 : 0
    lag.reset()
    const lines = [...exposition(series, { windows, lagSeconds }), ...background(await jobsWithin(sql))]
    return reply.type('text/plain; version=0.0.4').send(`${lines.join('\n')}\n`)
  })
}

const PATIENCE_MS = 2000

/** The figures of the background jobs; null while the database does not answer: the others are shown all the same. */
async function jobsWithin(sql: Sql): Promise<readonly JobFigures[] | null> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the database does not answer')), PATIENCE_MS)
  try {
    return await Promise.race([jobFigures(sql), late.promise])
  } catch (error) {
    reportError('metrics of background jobs', error)
    return null
  } finally {
    clearTimeout(timer)
  }
}

/** Background work: each job over all servers, and the errors of this process that no reply carried. */
function background(jobs: readonly JobFigures[] | null): string[] {
  const column = (name: string, type: 'counter' | 'gauge', value: (job: JobFigures) => string | null) => [
    `# TYPE background_job_${name} ${type}`,
    ...(jobs ?? []).flatMap(job => {
      const said = value(job)
      return said === null ? [] : [`background_job_${name}{job="${job.name}"} ${said}`]
    }),
  ]
  return [
    '# TYPE background_jobs_readable gauge',
    `background_jobs_readable ${jobs === null ? 0 : 1}`,
    ...column('runs_total', 'counter', job => String(job.runs)),
    ...column('failures_total', 'counter', job => String(job.failures)),
    ...column('running', 'gauge', job => (job.is_running ? '1' : '0')),
    ...column('last_duration_seconds', 'gauge', job => job.took_seconds),
    ...column('last_success_timestamp_seconds', 'gauge', job => job.succeeded_at),
    ...column('last_failure_timestamp_seconds', 'gauge', job => job.failed_at),
    '# TYPE background_errors_total counter',
    ...[...reportedErrors()].map(([doing, count]) => `background_errors_total{work="${doing}"} ${count}`),
  ]
}

function exposition(series: ReadonlyMap<string, Series>, now: { windows: number; lagSeconds: number }): string[] {
  const lines = [
    '# HELP http_request_duration_seconds Replies by route and status.',
    '# TYPE http_request_duration_seconds histogram',
  ]
  for (const [key, one] of series) {
    buckets.forEach((bucket, index) =>
      lines.push(`http_request_duration_seconds_bucket{${key},le="${bucket}"} ${one.below[index]}`),
    )
    lines.push(`http_request_duration_seconds_bucket{${key},le="+Inf"} ${one.count}`)
    lines.push(
      `http_request_duration_seconds_sum{${key}} ${one.seconds.toFixed(6)}`,
      `http_request_duration_seconds_count{${key}} ${one.count}`,
    )
  }
  const files = fileFigures()
  lines.push('# TYPE files_read_total counter', `files_read_total ${files.read}`)
  lines.push('# TYPE files_ended_total counter', `files_ended_total ${files.ended}`)
  const memory = process.memoryUsage()
  lines.push('# TYPE process_resident_memory_bytes gauge', `process_resident_memory_bytes ${memory.rss}`)
  lines.push(
    '# TYPE nodejs_eventloop_lag_p99_seconds gauge',
    `nodejs_eventloop_lag_p99_seconds ${now.lagSeconds.toFixed(4)}`,
  )
  lines.push('# TYPE realtime_connections gauge', `realtime_connections ${now.windows}`)
  lines.push('# TYPE process_uptime_seconds gauge', `process_uptime_seconds ${process.uptime().toFixed(0)}`)
  return lines
}
