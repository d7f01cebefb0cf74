import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { BackgroundJob } from '#server/jobs/job.ts'
import { type JobLog, startJobs } from '#server/jobs/runner.ts'
import { openTestServer, type TestServer } from '#tests/support/test-server.ts'

/** Background work on several servers: one at a time, every run visible, no error lost. */
let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server?.close())

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map(stop => stop()))
  await server.database.owner`delete from background_job`
})

type Line = { level: string; text: string; facts: Record<string, unknown> }
const logInto = (lines: Line[]): JobLog => {
  const at = (level: string) => (facts: object, text: string) =>
    void lines.push({ level, text, facts: facts as Record<string, unknown> })
  return { debug: at('debug'), info: at('info'), error: at('error') }
}
const LOOK_MS = 20
const start = async (jobs: readonly BackgroundJob[], lines: Line[] = []) => {
  // Jobs of these tests use no files.
  const resources = { ...server.database, store: undefined as never }
  const stop = await startJobs(resources, jobs, logInto(lines), LOOK_MS)
  stops.push(stop)
  return stop
}
const job = (name: string, run: () => Promise<unknown>, everySeconds = 0): BackgroundJob => ({
  name,
  title: `任务${name}`,
  everySeconds,
  run,
})
const rowOf = async (name: string) =>
  (await server.database.owner`select * from background_job_state where name = ${name}`)[0]!
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const until = async (holds: () => boolean | Promise<boolean>) => {
  for (let tries = 0; tries < 500; tries++) {
    if (await holds()) return
    await pause(10)
  }
  throw new Error('it never came')
}

it('starts no second run beside a slow first, however many servers there are', async () => {
  let [now, most, runs] = [0, 0, 0]
  const slow = job('slow', async () => {
    most = Math.max(most, ++now)
    runs++
    await pause(60)
    now--
  })
  for (let count = 0; count < 3; count++) await start([slow])
  await until(() => runs >= 6)
  expect(most).toBe(1)
})

it('keeps no other job waiting for a slow one', async () => {
  const end = Promise.withResolvers<void>()
  let quick = 0
  await start([job('slow', () => end.promise), job('quick', async () => quick++)])
  await until(() => quick >= 3)
  expect(await rowOf('slow')).toMatchObject({ is_running: true, runs: 0, last_success_at: null })
  end.resolve()
  await until(async () => (await rowOf('slow')).runs !== 0)
})

it('logs, counts and shows every run, with its last success and its last error', async () => {
  const lines: Line[] = []
  let turn = 0
  const failing = job(
    'failing',
    async () => {
      if (++turn === 2) throw new Error('对方没有应答')
    },
    0,
  )
  const stop = await start([failing], lines)
  await until(async () => (await rowOf('failing')).runs !== 0 && turn >= 3)
  await stop()
  const row = await rowOf('failing')
  expect(row).toMatchObject({ failures: 1, last_error: '对方没有应答', is_running: false, is_failing: false })
  expect(row.runs).toBe(turn)
  expect(row.last_success_at > row.last_failure_at).toBe(true)
  expect(row.took_ms).toBeGreaterThanOrEqual(0)
  expect(lines.filter(({ text }) => text === 'job begins')).toHaveLength(turn)
  expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
    { text: 'job failed', facts: { job: 'failing', err: { message: '对方没有应答' } } },
  ])
  expect(lines.find(({ text }) => text === 'job done')!.facts.took_ms).toBeGreaterThanOrEqual(0)
})

it('runs the jobs of a server that crashed once their lease has expired, and not before', async () => {
  const { owner } = server.database
  let runs = 0
  await owner`
    insert into background_job (name, title, every_seconds, lease_token, lease_expires_at, started_at)
    values ('left', '任务left', 0, gen_random_uuid(), now() + interval '1 hour', now() - interval '1 minute')`
  await start([job('left', async () => runs++)])
  await pause(200)
  expect(runs).toBe(0)
  await owner`update background_job set lease_expires_at = now() - interval '1 second'`
  await until(() => runs > 0)
})

it('waits for a job’s interval from the start of its last run, on whichever server that was', async () => {
  let runs = 0
  const rare = job('rare', async () => runs++, 3600)
  await start([rare])
  await start([rare])
  await pause(150)
  expect(runs).toBe(0)
  await server.database.owner`update background_job set started_at = now() - interval '1 hour'`
  await until(() => runs > 0)
  await pause(150)
  expect(runs).toBe(1)
})

it('waits at its end for what runs, and gives back what has not begun', async () => {
  const end = Promise.withResolvers<void>()
  const names = ['one', 'two', 'three', 'four', 'five']
  const begun: string[] = []
  const jobs = names.map(name =>
    job(name, () => {
      begun.push(name)
      return end.promise
    }),
  )
  const stop = await start(jobs)
  await until(() => begun.length === 3)
  const stopped = stop()
  await pause(50)
  end.resolve()
  await stopped
  expect(begun).toEqual(['one', 'two', 'three'])
  const rows = await server.database.owner`select name, runs, is_running from background_job_state order by id`
  expect(rows.map(row => [row.name, row.runs, row.is_running])).toEqual(
    names.map((name, at) => [name, at < 3 ? 1 : 0, false]),
  )
})
