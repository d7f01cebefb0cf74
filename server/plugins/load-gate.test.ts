import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorReply } from '#server/http/envelope.ts'
import { type TestServer, openTestServer } from '#tests/support/test-server.ts'
import { day } from '#tests/support/story.ts'
import { allCalls } from '#tests/invariants/cases/calls.ts'

/** An overloaded process says so at once, and interactive calls are served beside long ones. */
let server: TestServer
let lag = 0
beforeAll(async () => {
  server = await openTestServer(
    { MAX_CALLS: '4', MAX_REPORTS: '30', DB_POOL: '4', DB_POOL_REPORTS: '2', EXPORT_LONG_ROWS: '99999' },
    { lag: () => lag },
  )
})
afterAll(() => server?.close())

/** Blocks reads and writes of the table until `end`. */
async function locked(table: string) {
  const held = await server.database.owner.reserve()
  await held.unsafe(`begin; lock table ${table} in access exclusive mode`)
  return {
    end: async () => {
      await held.unsafe('rollback')
      held.release()
    },
  }
}
const patient = { timeout: 15_000 }
/** Resolves once that many statements wait for a lock. */
const untilWaiting = (count: number) =>
  expect
    .poll(async () => {
      const [row] = await server.database.owner<{ n: number }[]>`
        select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return row!.n
    }, patient)
    .toBeGreaterThanOrEqual(count)

describe('a process that is overloaded', () => {
  it('answers 503 with a retry time while too many calls are running, and recovers when they are done', async () => {
    const hospital = await server.as('hospital')
    const lock = await locked('session')
    const waiting = Array.from({ length: 4 }, () => hospital.get('/v1/user/user_info'))
    await untilWaiting(4)
    const refused = await hospital.raw({ method: 'GET', url: '/v1/user/user_info' })
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
      503,
      '2',
      { code: 1090, msg: '系统繁忙，请稍后重试' },
    ])
    // The operator's health check still answers.
    expect((await hospital.get('/healthz')).status).toBe(200)
    await lock.end()
    expect((await Promise.all(waiting)).map(reply => reply.code)).toEqual([0, 0, 0, 0])
    expect((await hospital.get('/v1/user/user_info')).code).toBe(0)
  })

  it('answers 503 while its event loop lags', async () => {
    const hospital = await server.as('hospital')
    lag = 1900
    const refused = await hospital.raw({ method: 'GET', url: '/v1/user/user_info' })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
    expect((await hospital.get('/healthz')).status).toBe(200)
    lag = 0
    expect((await hospital.get('/v1/user/user_info')).code).toBe(0)
  })
})

describe('long reports', () => {
  it('block no one: with twenty running, documents are posted, and one user cannot fill the queue', async () => {
    const [hospital, dealer] = [await server.as('hospital'), await server.as('dealer')]
    const lock = await locked('insurance_code')
    const refused: (readonly [number, unknown, number])[] = []
    const asked = Array.from({ length: 25 }, async () => {
      const reply = await dealer.raw({ method: 'GET', url: '/v1/report/insuranceGaps' })
      if (reply.statusCode !== 200) refused.push([reply.statusCode, reply.headers['retry-after'], reply.json().code])
      return reply.statusCode
    })
    await untilWaiting(2)
    await expect.poll(() => refused, patient).toEqual(Array.from({ length: 5 }, () => [429, '10', 1090]))
    const central = server.masters.warehouses.get('H01-W02')
    const goods = server.masters.specifications.get('P009-01')
    const line = {
      specification_sn: goods,
      lot_no: 'GATE',
      production_date: day(-30),
      expiry_date: day(700),
      quantity: '3',
      price: '9',
    }
    const { info } = await hospital.post('/v1/business/otherGrn/add', {
      warehouse_model_inner_sn: central,
      lines: [line],
    })
    const submitted = await hospital.post('/v1/business/otherGrn/submit', { sn: info.sn, version: info.version })
    const reviewed = await hospital.post('/v1/business/otherGrn/review', {
      sn: info.sn,
      version: submitted.info.version,
    })
    expect([reviewed.code, reviewed.msg]).toEqual([0, ''])
    await lock.end()
    expect((await Promise.all(asked)).filter(status => status === 200)).toHaveLength(20)
  })

  it("twice as many at once as there are connections are all written: none waits for another's", async () => {
    const dealer = await server.as('dealer')
    const files = await Promise.all(
      Array.from({ length: 8 }, () => dealer.raw({ method: 'GET', url: '/v1/report/insuranceGaps/export' })),
    )
    expect(files.map(file => [file.statusCode, file.rawPayload.subarray(0, 2).toString()])).toEqual(
      files.map(() => [200, 'PK']),
    )
  })

  it('a statement that exceeds the time limit is ended and reported in a sentence', async () => {
    const notified = async (sql: typeof server.database.app) =>
      (await sql<{ text: string }[]>`select current_setting('statement_timeout') as text`)[0]!.text
    expect([await notified(server.database.app), await notified(server.database.slow)]).toEqual(['30s', '1min'])
    const patience = server.database.slow.begin(async tx => {
      await tx`set local statement_timeout = 20`
      await tx`select pg_sleep(5)`
    })
    const ended = await patience.catch(error => error)
    expect(errorReply(ended)).toMatchObject({ body: { code: 1090, msg: '查询超时，请缩小查询范围后重试' } })
  })
})

describe('one person', () => {
  it('makes no more changes in a minute than the limit, whatever the call; another person is served meanwhile', async () => {
    const paced = await openTestServer({ MAX_CHANGES: '3' })
    try {
      const [hospital, dealer] = [await paced.as('hospital'), await paced.as('dealer')]
      const change = (url: string) => hospital.raw({ method: 'POST', url, payload: {} })
      while ((await change('/v1/business/purchaseOrder/add')).statusCode !== 429);
      const changing = allCalls(paced).filter(({ method, url }) => method !== 'GET' && url.startsWith('/v1/business/'))
      const some = changing.filter((_, index) => index % 7 === 0)
      expect(some.length).toBeGreaterThan(80)
      const [began, through] = [Date.now(), [] as string[]]
      for (const { url } of some) if ((await change(url)).statusCode !== 429) through.push(url)
      const minutesBegun = 1 + Math.ceil((Date.now() - began) / 60_000)
      expect(through.length).toBeLessThanOrEqual(3 * minutesBegun)
      expect((await change('/v1/business/purchaseOrder/add')).headers['retry-after']).toMatch(/^\d{1,2}$/)
      expect((await hospital.get('/v1/user/user_info')).code).toBe(0)
      expect((await dealer.post('/v1/business/purchaseOrder/add', {})).status).not.toBe(429)
    } finally {
      await paced.close()
    }
  })
})
