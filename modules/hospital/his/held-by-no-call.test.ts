import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noFaults } from '../../../deploy/his/faults.ts'
import type { RunningHis } from '../../../deploy/his/server.ts'
import { openScene, type Scene } from '#tests/support/fixture.ts'
import { startConnected } from '#tests/support/his.ts'
import { day } from '#tests/support/story.ts'

/** A request that waits for a slow HIS holds neither a database connection nor a row lock meanwhile. */
let scene: Scene
let stand: RunningHis
beforeAll(async () => {
  scene = await openScene()
  stand = await startConnected(scene.server, 'H01')
})
afterAll(async () => {
  await stand?.close()
  await scene?.close()
})

const SLOW_MS = 600
const openTransactions = async () =>
  (
    await scene.server.database.owner`
    select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
  ).map(row => row.query)

test.each([
  ['hisStaff/sync', {}],
  ['productComparison/sync', { whole: 'true' }],
  ['hisGrnCheck/fetch', { begin_date: day(-1), end_date: day(0) }],
  ['his/bedside', { kind: 'surgeryUse', code: 'H01P200627' }],
])('%s', async (call, body) => {
  Object.assign(stand.faults, { delay_ms: SLOW_MS })
  const answer = scene.hospital.client.post(`/v1/business/${call}`, body as never)
  await sleep(SLOW_MS / 2)
  expect(await openTransactions()).toEqual([])
  Object.assign(stand.faults, noFaults())
  expect((await answer).code).toBe(0)
})

test('a HIS that is down is said in its words, and nothing was written', async () => {
  Object.assign(stand.faults, { failing: -1, status: 503 })
  const before = await scene.hospital.list('hisStaff')
  const answer = await scene.hospital.client.post('/v1/business/hisStaff/sync', {} as never)
  Object.assign(stand.faults, noFaults())
  expect(answer).toMatchObject({ status: 200, msg: expect.stringMatching(/^HIS返回503/) })
  expect(await scene.hospital.list('hisStaff')).toHaveLength(before.length)
  const dealer = await scene.dealer.client.post('/v1/business/hisStaff/sync', {} as never)
  expect(dealer).toMatchObject({ status: 200, code: 403 })
})
