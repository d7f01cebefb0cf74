import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

let server: TestServer
let hospital: Client
beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
})
afterAll(() => server.close())

const post = (headers: Record<string, string>, payload = '') =>
  hospital.raw({ method: 'POST', url: '/v1/business/department/add', headers, payload })

describe('every reply', () => {
  it('is the envelope, for unknown paths too', async () => {
    const reply = await hospital.raw({ method: 'GET', url: '/v1/business/nothing/list' })
    expect([reply.statusCode, reply.json()]).toEqual([404, { code: 404, msg: '没有这个地址' }])
    for (const url of ['/%E0%A4%A', '/v1/business/%zz/list']) {
      const broken = await hospital.raw({ method: 'GET', url })
      expect([broken.statusCode, broken.json().msg, broken.headers['x-frame-options']]).toEqual([
        404,
        '没有这个地址',
        'DENY',
      ])
    }
  })

  it('has headers that prevent content sniffing', async () => {
    const { headers } = await hospital.raw({ method: 'GET', url: '/v1/user/user_info' })
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).not.toContain('unsafe-inline')
  })

  it('names an unknown field and an unknown filter', async () => {
    expect(await hospital.post('/v1/business/department/add', { code: 'X', name: 'Y', colour: 'red' })).toMatchObject({
      status: 200,
      code: 2000,
      errors: [{ field: 'colour', msg: '没有“colour”这个字段' }],
    })
    expect(await hospital.get('/v1/business/department/list', { nam: 'x' })).toMatchObject({
      code: 2000,
      errors: [{ field: 'nam' }],
    })
  })
})

describe('unreadable input is refused in the envelope', () => {
  const json = { 'content-type': 'application/json' }
  const cases: [string, Record<string, string>, string, number, number][] = [
    ['broken JSON', json, '{"a":', 200, 2000],
    ['a JSON list', json, '[1]', 200, 2000],
    ['a JSON text', json, '"x"', 200, 2000],
    ['an unknown content type', { 'content-type': 'text/csv' }, 'a,b', 200, 2000],
    ['a NUL byte', json, '{"code":"a\\u0000b","name":"n"}', 200, 2000],
    ['half a character', json, '{"code":"\\ud800","name":"n"}', 200, 2000],
    ['a control character', json, '{"code":"a\\u0007b","name":"n"}', 200, 2000],
    ['a name of Object', json, '{"__proto__":{"x":1},"code":"c","name":"n"}', 200, 2000],
    ['a very long text', json, `{"code":"${'x'.repeat(5000)}","name":"n"}`, 200, 2000],
    ['a list where a text belongs', json, '{"code":["a"],"name":"n"}', 200, 2000],
    ['a field given twice', { 'content-type': 'application/x-www-form-urlencoded' }, 'code=a&code=b&name=n', 200, 2000],
    ['deep nesting', json, `{"code":${'['.repeat(40)}${']'.repeat(40)}}`, 200, 2000],
    ['more than 8 MB', json, `{"code":"${'x'.repeat(9 * 1024 * 1024)}"}`, 413, 2000],
  ]
  it.each(cases)('%s', async (_, headers, payload, status, code) => {
    const reply = await post(headers, payload)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
    expect(reply.json().msg).not.toBe('')
  })

  it.each([
    ['pageNum', '0'],
    ['pageNum', 'x'],
    ['pageSize', '501'],
    ['pageSize', '-1'],
    ['pageNum', '99999999999'],
    ['sort', 'password_hash'],
    ['sort', 'id;drop table x'],
  ])('paging %s=%s', async (name, value) => {
    expect((await hospital.get('/v1/business/product/list', { [name]: value })).code).toBe(2000)
  })

  it.each(["' or 1=1 --", '%', '_', '\\', '"', '😀', '();', 'a'.repeat(200)])(
    'a hostile search is only a text: %s',
    async text => {
      expect(await hospital.get('/v1/business/product/list', { q: text })).toMatchObject({ status: 200, code: 0 })
      expect(await hospital.get('/v1/business/product/list', { name: text })).toMatchObject({ status: 200, code: 0 })
    },
  )

  it('finds a percent sign only as itself', async () => {
    expect((await hospital.get('/v1/business/product/list', { name: '%' })).total).toBe(0)
  })
})

describe('a POST from another site', () => {
  const logout = (headers: Record<string, string>) =>
    server.outsider.raw({ method: 'POST', url: '/v1/logout', headers: { host: 'spd.example.com', ...headers } })
  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'https://evil.example.com' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://other.example.com' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://spd.example.com' }, 200],
    [{ origin: 'https://spd.example.com' }, 200],
    [{}, 200],
  ] as [Record<string, string>, number][])('%o → %i', async (headers, status) => {
    expect((await logout(headers)).statusCode).toBe(status)
  })
})

describe('a request id', () => {
  const add = (code: string, id: string, path = '/v1/business/department/add') =>
    hospital.post(path, { code, name: `科室${code}` }, { 'x-request-id': id })

  it('gets the first reply again and writes once', async () => {
    const first = await add('IDEM-1', 'request-1')
    expect(await add('IDEM-1', 'request-1')).toEqual(first)
    expect((await hospital.get('/v1/business/department/list', { code: 'IDEM-1' })).total).toBe(1)
  })

  it('is refused for another call', async () => {
    expect((await add('IDEM-2', 'request-2')).code).toBe(0)
    expect(await add('IDEM-2A', 'request-2')).toMatchObject({ status: 200, code: 2107, msg: '重复的请求号' })
    expect(await add('IDEM-2', 'request-2', '/v1/business/employee/add')).toMatchObject({ code: 2107 })
  })

  it('runs one of several at once and gives all its reply', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => add('IDEM-3', 'request-3')))
    expect(new Set(replies.map(reply => JSON.stringify(reply))).size).toBe(1)
    expect(replies[0]?.code).toBe(0)
    expect((await hospital.get('/v1/business/department/list', { code: 'IDEM-3' })).total).toBe(1)
  })

  it('keeps nothing of a refused call', async () => {
    expect((await add('IDEM-4', 'request-4')).code).toBe(0)
    expect((await add('IDEM-4', 'request-4A')).code).toBe(2105)
    expect((await add('IDEM-4', 'request-4A')).code).toBe(2105)
  })

  it('is separate for each user', async () => {
    const dealer = await server.as('dealer')
    expect(
      (
        await dealer.post(
          '/v1/business/department/add',
          { code: 'IDEM-1', name: '新科室' },
          { 'x-request-id': 'request-1' },
        )
      ).code,
    ).toBe(0)
  })

  it('may be any token of 64 characters', async () => {
    expect((await add('IDEM-5', 'x'.repeat(65))).code).toBe(2000)
    expect((await add('IDEM-5', '中文')).code).toBe(2000)
  })
})
