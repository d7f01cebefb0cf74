import { randomUUID } from 'node:crypto'
import type { BackgroundJob, JobResources } from '#server/jobs/job.ts'
import {
  LEASE_SECONDS,
  recordRun,
  registerJobs,
  releaseLeases,
  renewLeases,
  takeDueLeases,
} from '#server/jobs/lease.ts'
import { reportError } from '#server/audit/reported-errors.ts'

/** The program's log, to which a run writes. */
export type JobLog = { readonly [level in 'debug' | 'info' | 'error']: (facts: object, text: string) => void }

const LOOK_MS = 2000
const RENEW_MS = (LEASE_SECONDS * 1000) / 3
/** A slow job does not keep the others waiting. */
const AT_ONCE = 3
/** Runs of jobs that look every few seconds are logged below the usual level, unless they took this long. */
const SLOW_MS = 5000
const RARE_SECONDS = 60

const messageOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error))

/**
 * Runs the jobs when they are due, each on one server at a time: under a lease that is renewed while it runs, and that
 * expires when its server crashes. Every run is logged, counted and stored. Returns the function that stops them: it
 * waits for those that run.
 */
export async function startJobs(
  resources: JobResources,
  jobs: readonly BackgroundJob[],
  log: JobLog,
  lookMs = LOOK_MS,
): Promise<() => Promise<void>> {
  const { owner } = resources
  const token = randomUUID()
  const byName = new Map(jobs.map(job => [job.name, job]))
  if (byName.size !== jobs.length) throw new Error('two background jobs have the same name')
  await registerJobs(owner, jobs)
  /** Held leases: jobs that run, and jobs that wait for one of them to end. */
  const held = new Set<string>()
  const waiting: BackgroundJob[] = []
  const running = new Set<Promise<void>>()
  let isStopped = false

  const run = async (job: BackgroundJob): Promise<void> => {
    const began = performance.now()
    const facts = { job: job.name }
    const level = job.everySeconds < RARE_SECONDS ? 'debug' : 'info'
    log[level](facts, 'job begins')
    const error = await job.run(resources).then(
      () => null,
      (thrown: unknown) => thrown ?? new Error('no reason given'),
    )
    const tookMs = Math.round(performance.now() - began)
    if (error !== null) log.error({ ...facts, took_ms: tookMs, err: error }, 'job failed')
    else log[tookMs < SLOW_MS ? level : 'info']({ ...facts, took_ms: tookMs }, 'job done')
    held.delete(job.name)
    await recordRun(owner, job.name, token, { tookMs, error: error === null ? null : messageOf(error) })
  }

  const begin = (): void => {
    while (running.size < AT_ONCE && waiting.length > 0 && !isStopped) {
      const job = waiting.shift()!
      const work = run(job)
        // The outcome is lost with its database; the lease expires by itself.
        .catch((error: unknown) => reportError('job outcome', error))
        .finally(() => {
          held.delete(job.name)
          running.delete(work)
          begin()
        })
      running.add(work)
    }
  }

  const look = async (): Promise<void> => {
    const free = jobs.flatMap(({ name }) => (held.has(name) ? [] : [name]))
    const due = new Set(await takeDueLeases(owner, free, token))
    for (const name of due) held.add(name)
    // In the order in which the program names them.
    waiting.push(...jobs.filter(({ name }) => due.has(name)))
    begin()
  }

  const renew = async (): Promise<void> => {
    if (held.size === 0) return
    const asked = [...held]
    const kept = new Set(await renewLeases(owner, asked, token))
    for (const name of asked.filter(each => !kept.has(each) && held.has(each))) {
      reportError('job lease', new Error(`the lease of ${name} was lost`))
      // Another server runs it by now: what has not begun here does not begin.
      const at = waiting.findIndex(job => job.name === name)
      if (at < 0) continue
      waiting.splice(at, 1)
      held.delete(name)
    }
  }

  const [stopLooking, stopRenewing] = [repeat('jobs', look, lookMs), repeat('job leases', renew, RENEW_MS)]
  return async () => {
    isStopped = true
    await stopLooking()
    const left = waiting.splice(0).map(({ name }) => name)
    if (left.length > 0) await releaseLeases(owner, left, token)
    while (running.size > 0) await Promise.all(running)
    await stopRenewing()
  }
}

/** Does it now and again and again, never twice at once; returns the function that stops it. */
function repeat(doing: string, work: () => Promise<void>, pauseMs: number): () => Promise<void> {
  let underWay: Promise<void> | null = null
  const turn = () => {
    underWay ??= work()
      .catch((error: unknown) => reportError(doing, error))
      .finally(() => {
        underWay = null
      })
  }
  turn()
  const timer = setInterval(turn, pauseMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underWay
  }
}
