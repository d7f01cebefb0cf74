import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { askDatabase } from '#server/database/readiness.ts'

/** Upper bounds in seconds for counting reply times, as a Prometheus histogram requires. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

type Series = { count: number; seconds: number; readonly below: number[] }

/** What operators query: alive, ready, and metrics. */
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

  app.get('/healthz', async () => ({ code: 0, msg: '' }))
  app.get('/readyz', async (request, reply) => {
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
    return reply.type('text/plain; version=0.0.4').send(exposition(series, { windows, lagSeconds }))
  })
}

function exposition(series: ReadonlyMap<string, Series>, now: { windows: number; lagSeconds: number }): string {
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
  const memory = process.memoryUsage()
  lines.push('# TYPE process_resident_memory_bytes gauge', `process_resident_memory_bytes ${memory.rss}`)
  lines.push(
    '# TYPE nodejs_eventloop_lag_p99_seconds gauge',
    `nodejs_eventloop_lag_p99_seconds ${now.lagSeconds.toFixed(4)}`,
  )
  lines.push('# TYPE realtime_connections gauge', `realtime_connections ${now.windows}`)
  lines.push('# TYPE process_uptime_seconds gauge', `process_uptime_seconds ${process.uptime().toFixed(0)}`)
  return `${lines.join('\n')}\n`
}
