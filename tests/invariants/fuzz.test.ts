import { parseInteger } from '#kernel/values/integer.ts'
import { createHash } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { type Client, type TestServer, openTestServer } from '../support/test-server.ts'
import { allCalls, type CallShape, lookAround, Seen } from './cases/calls.ts'
import { type Chance, chanceOf } from './cases/random.ts'
import { bodyFor } from './cases/bodies.ts'
import { evilValue, spoil } from './cases/hostile.ts'

/**
 * Every endpoint gets input that no page would send. Nothing may end in a server error, crash it or keep the
 * database busy. FUZZ_SEED chooses what is sent, FUZZ_SECONDS how long, FUZZ_ROUTE a single call: `npm run fuzz`.
 */
const SEED = parseInteger(process.env.FUZZ_SEED ?? 20_261_122)
const SECONDS = parseInteger(process.env.FUZZ_SECONDS ?? 10)
const ROUTE = process.env.FUZZ_ROUTE
const HANDS = 4

let server: TestServer
let calls: CallShape[]
const people = new Map<string, Client>()
const seen = new Seen()
const logins = ['platform', 'hospital', 'dealer', 'vendor']
type Person = { id: string; org_id: string; login: string; status: string; password_hash: string; must_change: boolean }
let kept: readonly Person[] = []

beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  server.app.addHook('onError', async (request, _, error) => {
    causes.set(String(request.headers['x-fuzz']), String(error.stack))
  })
  for (const login of logins) people.set(login, await server.as(login, 'Spd@2026'))
  kept = await server.database.owner<Person[]>`
    select id, org_id, login, status, password_hash, must_change from app_user where login = any(${logins})`
  calls = allCalls(server)
  for (const who of people.values()) await lookAround(calls, who, seen)
})
afterAll(() => server?.close())

/** One request and its result. */
type Shot = {
  readonly login: string
  readonly options: InjectOptions
  status: number
  code: number
  took: number
  why: string
}

/** Random choices of one request: the same seed, call and turn make the same request, whatever else runs. */
const chanceFor = (call: CallShape, turn: number): Chance =>
  chanceOf(createHash('sha1').update(`${SEED} ${call.method} ${call.url} ${turn}`).digest().readUInt32LE())

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Headers that no browser sends. */
const oddHeaders = (chance: Chance): Record<string, string> =>
  chance.one<Record<string, string>>([
    { 'x-request-id': chance.one(['a', 'é', ' ', 'x'.repeat(65), 'x'.repeat(64), '\t']) },
    {
      'content-type': chance.one([
        'text/plain',
        'application/json; charset=gbk',
        'application/xml',
        'multipart/form-data',
        'multipart/form-data; boundary=',
        ';',
        'application/json;;;',
      ]),
    },
    { 'content-encoding': 'gzip' },
    { 'x-forwarded-for': chance.one(['1.2.3.4, 5.6.7.8', "' or 1", '::1', 'x'.repeat(3000)]) },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript' },
    {
      range: chance.one([
        'bytes=0-',
        'bytes=-1',
        'bytes=9-1',
        'bytes=0-0,2-3',
        'bytes=99999999999999999999-',
        'lines=1-2',
      ]),
    },
    { 'accept-language': '*'.repeat(500), 'user-agent': '\'"<>'.repeat(200) },
    { cookie: chance.one(['sid=', 'sid=%00', 'sid=a; sid=b', 'x'.repeat(4000), '__proto__=1']) },
  ])

function shotFor(call: CallShape, turn: number): Omit<Shot, 'status' | 'code' | 'took' | 'why'> {
  const chance = chanceFor(call, turn)
  const login = chance.one(logins)
  const good = bodyFor(chance, seen, call)
  const body = chance.yes(0.7) ? spoil(chance, good) : good
  const url = call.url.replaceAll(/:\w+/g, name =>
    encoded(chance.yes(0.4) ? (seen.one(chance, name.slice(1)) ?? '1') : asText(evilValue(chance)).slice(0, 300)),
  )
  const headers = chance.yes(0.1) ? oddHeaders(chance) : {}
  if (call.method === 'GET') {
    const query = Object.entries(body).map(
      ([name, value]) => `${encodeURIComponent(name)}=${encoded(asText(value).slice(0, 4000))}`,
    )
    if (chance.yes(0.05))
      query.push(chance.one(['%', '%zz=%ff', '&&&', '=', 'sn=1&sn=2', '%00=%00', 'q[]=1', `q=${'%25'.repeat(900)}`]))
    return { login, options: { method: 'GET', url: `${url}?${query.join('&')}`, headers } }
  }
  if (chance.yes(0.2)) {
    const form = Object.entries(body)
      .map(([name, value]) => `${encodeURIComponent(name)}=${encoded(asText(value))}`)
      .join('&')
    return {
      login,
      options: {
        method: 'POST',
        url,
        payload: form,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      },
    }
  }
  const payload = chance.yes(0.03)
    ? chance.one([
        '',
        '[',
        '"x"',
        '[]',
        'null',
        '{"a":1,"a":2}',
        '{"a":'.repeat(5000),
        '\u0000',
        '{"sn":"\\ud800"}',
        'NaN',
      ])
    : JSON.stringify(body)
  return {
    login,
    options: { method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } },
  }
}

/** A lone surrogate cannot be URL-encoded. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

const causes = new Map<string, string>()

async function fire(call: CallShape, turn: number): Promise<Shot> {
  const { login, options } = shotFor(call, turn)
  const mark = `${call.method} ${call.url} ${turn}`
  const began = performance.now()
  const reply = await people.get(login)!.raw({ ...options, headers: { ...options.headers, 'x-fuzz': mark } })
  const took = performance.now() - began
  let code = 0
  try {
    code = reply.headers['content-type']?.toString().includes('json') ? reply.json().code : 0
  } catch {
    code = -1
  }
  if (reply.statusCode === 401 && !String(options.headers?.cookie ?? '')) await revive(login)
  return { login, options, status: reply.statusCode, code, took, why: causes.get(mark) ?? reply.body.slice(0, 200) }
}

/** Reactivates users that were signed out, locked or disabled on the way. */
let reviving: Promise<void> | null = null
async function revive(login: string): Promise<void> {
  reviving ??= (async () => {
    const { owner } = server.database
    await owner`delete from sign_in_failure`
    for (const row of kept)
      await owner`update app_user set status = ${row.status}, password_hash = ${row.password_hash},
        is_administrator = true, login = ${row.login}, must_change = ${row.must_change} where id = ${row.id}`
    await owner`update organisation set status = 'enabled', audit_state = 'passed'
      where id = any(${kept.map(row => row.org_id)}::bigint[])`
    people.set(login, await server.as(login, 'Spd@2026'))
  })().finally(() => (reviving = null))
  await reviving
}

const isBad = (shot: Shot) =>
  shot.status >= 500 || shot.code === 9999 || shot.code === -1 || shot.why.includes('查询超时')
const notify = (call: CallShape, turn: number, shot: Shot) =>
  `FUZZ_SEED=${SEED} FUZZ_ROUTE='${call.method} ${call.url}' turn ${turn}, ${shot.login}: ${shot.status} ` +
  `${shot.code}, ${Math.round(shot.took)} ms: ${shot.why}\n${JSON.stringify(shot.options).slice(0, 1500)}`

/** No request may take longer. */
const PATIENCE_MS = 2000

test(
  `seed ${SEED}: nothing that is sent ends in a defect`,
  async () => {
    const mine = ROUTE ? calls.filter(call => `${call.method} ${call.url}` === ROUTE) : calls
    const bad: string[] = []
    const slow: [CallShape, number][] = []
    const codes = new Map<number, number>()
    const until = Date.now() + SECONDS * 1000
    let sent = 0
    const turns: [CallShape, number][] = []
    for (let turn = 0; turn === 0 || Date.now() < until; turn++) {
      turns.push(...mine.map(call => [call, turn] as [CallShape, number]))
      await Promise.all(
        Array.from({ length: HANDS }, async () => {
          for (let next = turns.shift(); next && (turn === 0 || Date.now() < until); next = turns.shift()) {
            const [call, at] = next
            const shot = await fire(call, at)
            sent += 1
            codes.set(shot.code, (codes.get(shot.code) ?? 0) + 1)
            if (isBad(shot)) bad.push(notify(call, at, shot))
            else if (shot.took > PATIENCE_MS) slow.push(next)
          }
        }),
      )
    }
    console.log(
      `seed ${SEED}: ${sent} requests to ${mine.length} calls, ` +
        `${JSON.stringify([...codes].sort((a, b) => b[1] - a[1]))}`,
    )
    expect(bad).toEqual([])
    // A machine that paused for a moment is not the query's fault: a slow request must be slow again.
    const again: string[] = []
    for (const [call, at] of slow) {
      const shot = await fire(call, at)
      if (shot.took > PATIENCE_MS) again.push(notify(call, at, shot))
    }
    expect(again).toEqual([])
  },
  (SECONDS + 240) * 1000,
)

test('and the ledgers agree afterwards', async () => {
  const findings = await checkLedgers(server.database.owner)
  expect(findings.map(finding => finding.msg)).toEqual([])
})
