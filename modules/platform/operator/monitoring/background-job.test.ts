import { afterAll, beforeAll, expect, it } from 'vitest'
import { engineJobs } from '#server/engine-jobs.ts'
import { registerJobs, recordRun, takeDueLeases } from '#server/jobs/lease.ts'
import { hooks } from '#app/modules.server.ts'
import { type Client, openTestServer, type TestServer } from '#tests/support/test-server.ts'

/** 后台任务: the platform sees what runs behind the pages, and what failed. */
let server: TestServer
let platform: Client
let hospital: Client
const all = [...engineJobs, ...hooks.jobs]
const token = '7e0f5bd4-5a0f-4c3f-9d39-5c0a11d3a001'
beforeAll(async () => {
  server = await openTestServer()
  ;[platform, hospital] = await Promise.all([server.as('platform'), server.as('hospital')])
  const { owner } = server.database
  await registerJobs(owner, all)
  await owner`update background_job set registered_at = now() - interval '1 day'`
  await takeDueLeases(owner, ['deliver_messages', 'close_months', 'purge_expired'], token)
  await recordRun(owner, 'close_months', token, { tookMs: 1234, error: null })
  await recordRun(owner, 'purge_expired', token, { tookMs: 7, error: '表不存在' })
})
afterAll(() => server?.close())

const path = '/v1/business/backgroundJob/list'

it('every job has its own name and title', () => {
  for (const part of ['name', 'title'] as const) expect(new Set(all.map(job => job[part])).size).toBe(all.length)
  for (const { name } of all) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
})

it('the platform sees of each job when it succeeded and failed last, the error, and what runs now', async () => {
  const { list } = await platform.get(path, { pageNum: '1', pageSize: '200' })
  expect(list).toHaveLength(all.length)
  const of = (name: string) => list.find((row: { name: string }) => row.name === name)
  expect(of('deliver_messages')).toMatchObject({ title: '单据推送', is_running: true, runs: 0, every_seconds: 2 })
  expect(of('close_months')).toMatchObject({
    title: '月度结存',
    is_running: false,
    is_failing: false,
    took_ms: 1234,
    runs: 1,
    failures: 0,
    last_failure_at: null,
    last_error: null,
  })
  expect(of('close_months').last_success_at).not.toBeNull()
  expect(of('purge_expired')).toMatchObject({
    is_failing: true,
    last_error: '表不存在',
    failures: 1,
    last_success_at: null,
  })
  const failing = await platform.get(path, { is_failing: 'true', pageNum: '1', pageSize: '200' })
  expect(failing.list.map((row: { name: string }) => row.name)).toEqual(['purge_expired'])
})

it('no other organisation does, and nobody changes it', async () => {
  expect((await hospital.get(path, { pageNum: '1', pageSize: '200' })).list).toEqual([])
  expect((await platform.post('/v1/business/backgroundJob/add', { title: '新任务' })).code).not.toBe(0)
})

it('operators read the same from the metrics', async () => {
  const { body } = await server.outsider.raw({ method: 'GET', url: '/metrics' })
  expect(body).toMatch(/^background_jobs_readable 1$/m)
  expect(body).toMatch(/^background_job_runs_total\{job="close_months"\} 1$/m)
  expect(body).toMatch(/^background_job_failures_total\{job="purge_expired"\} 1$/m)
  expect(body).toMatch(/^background_job_running\{job="deliver_messages"\} 1$/m)
  expect(body).toMatch(/^background_job_last_duration_seconds\{job="close_months"\} 1\.234$/m)
  expect(body).toMatch(/^background_job_last_success_timestamp_seconds\{job="close_months"\} \d{10}$/m)
  expect(body).not.toMatch(/^background_job_last_success_timestamp_seconds\{job="purge_expired"\}/m)
})
