import type { InjectOptions } from 'light-my-request'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, openTestServer, type TestServer } from '../support/test-server.ts'
import { registerCode } from '../support/outbox.ts'
import { allCalls, type CallShape } from './cases/calls.ts'

/** What holds for every call that there is, from the table of calls itself. */
let server: TestServer
let hospital: Client
let calls: CallShape[]
beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
  calls = allCalls(server)
  expect(calls.length).toBeGreaterThan(1000)
})
afterAll(() => server?.close())

const OVER_HTTPS = { 'x-forwarded-proto': 'https', host: 'spd.example.cn' }
const urlOf = ({ url }: CallShape) => url.replaceAll(/:\w+/g, '1')
const ask = (client: Client, call: CallShape, headers: Record<string, string> = {}) =>
  client.raw({
    method: call.method as NonNullable<InjectOptions['method']>,
    url: urlOf(call),
    headers,
    ...(call.method === 'GET' ? {} : { payload: {} }),
  })

/**
 * Calls that anybody may make: the door and its sign, what monitors ask, the contract, divisions for those who
 * register, an app's package, goods by the code on their label or on a patient's card, and devices, which sign each
 * request.
 */
const OPEN = new RegExp(
  `^(${[
    '/healthz',
    '/readyz',
    '/brand\\.svg',
    '/metrics',
    '/docs(/json)?',
    '/v1/(login|logout|loginByVerifyCode|sendMsg)',
    '/v1/(captcha|register|device|division|app/package)/.*',
    '/v1/captcha',
    '/v1/public/(goods|implantCard)',
    '/v1/user/(change_password|retrieve_pwd/.*|get_login_code/.*)',
  ].join('|')})$`,
)

test('asks who is there, unless it is the door itself', { timeout: 120_000 }, async () => {
  const reached: string[] = []
  for (const call of calls) {
    const reply = await ask(server.outsider, call)
    if (reply.statusCode !== 401 && !OPEN.test(urlOf(call))) reached.push(`${call.method} ${call.url}`)
  }
  expect(reached).toEqual([])
})

test('bears the headers that guard a browser, and lets no other site read it', { timeout: 120_000 }, async () => {
  const wrong: string[] = []
  for (const call of calls) {
    const { headers } = await ask(server.outsider, call, { ...OVER_HTTPS, origin: 'https://spd.example.cn' })
    const policy = String(headers['content-security-policy'])
    const isGuarded =
      headers['x-content-type-options'] === 'nosniff' &&
      headers['strict-transport-security'] === 'max-age=31536000; includeSubDomains' &&
      ["default-src 'self'", "object-src 'none'", "base-uri 'self'", "frame-ancestors 'none'"].every(part =>
        policy.includes(part),
      ) &&
      !/script-src[^;]*'unsafe-(inline|eval)'/.test(policy)
    const isOurs = Object.keys(headers).every(name => !name.startsWith('access-control-'))
    const isKept = call.url.startsWith('/v1/') && headers['cache-control'] !== 'no-store'
    const isNamed = /^(application\/json|text\/html); charset=utf-8$|^(text\/plain|image\/)/.test(
      String(headers['content-type']),
    )
    if (!isGuarded || !isOurs || isKept || !isNamed)
      wrong.push(`${call.method} ${call.url} ${String(headers['content-type'])} ${String(headers['cache-control'])}`)
  }
  expect(wrong).toEqual([])
})

test('that changes something is refused from another site', { timeout: 120_000 }, async () => {
  const taken: string[] = []
  for (const call of calls.filter(({ method }) => method !== 'GET' && method !== 'HEAD')) {
    const replies = [
      await ask(hospital, call, { 'sec-fetch-site': 'cross-site' }),
      await ask(hospital, call, { origin: 'https://elsewhere.example' }),
    ]
    if (replies.some(({ statusCode }) => statusCode !== 403)) taken.push(`${call.method} ${call.url}`)
  }
  expect(taken).toEqual([])
})

test('is closed to a registrant whose password is still his phone number', { timeout: 120_000 }, async () => {
  const phone = '13900007001'
  const registration = {
    system_type: '2',
    name: '只改密码有限公司',
    social_credit_code: '91320506MA1DOOR701',
    address: '样例路1号',
    registrant: '沈知节',
    registrant_phone: phone,
  }
  const verifyCode = await registerCode(server, phone)
  expect((await server.outsider.post('/v1/register/org', { ...registration, verifyCode })).msg).toContain('注册成功')
  const platform = await server.as('platform')
  const [row] = (await platform.get('/v1/business/registrationAudit/list', { name: registration.name })).list
  const decision = { sn: row.sn, version: row.version }
  expect((await platform.post('/v1/business/registrationAudit/pass', decision)).code).toBe(0)
  const registrant = await server.as(phone, phone)
  const OWN = /^\/v1\/user\/(user_info|change_my_password)$/
  const reached: string[] = []
  for (const call of calls) {
    if (OPEN.test(urlOf(call)) || OWN.test(call.url)) continue
    const reply = await ask(registrant, call)
    if (!reply.body.includes('请先修改密码')) reached.push(`${call.method} ${call.url} ${reply.body.slice(0, 80)}`)
  }
  expect(reached).toEqual([])
})

test('is refused under another host name once the installation has its own', { timeout: 120_000 }, async () => {
  const named = await openTestServer({ PUBLIC_URL: 'https://spd.example.cn' })
  try {
    const wrong: string[] = []
    for (const call of calls) {
      const forged = await ask(named.outsider, call, { host: 'spd.example.cn.evil.example' })
      const forwarded = await ask(named.outsider, call, { 'x-forwarded-host': 'evil.example', host: 'spd.example.cn' })
      if (forged.statusCode !== 421 || forwarded.statusCode !== 421) wrong.push(`${call.method} ${call.url}`)
    }
    expect(wrong).toEqual([])
    for (const host of ['spd.example.cn', 'SPD.example.cn:443', 'localhost:8080', '127.0.0.1', '[::1]:8080'])
      expect((await named.outsider.raw({ method: 'GET', url: '/healthz', headers: { host } })).statusCode, host).toBe(
        200,
      )
  } finally {
    await named.close()
  }
})
