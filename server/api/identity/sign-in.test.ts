import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { enterByCode, minuteLater } from '#tests/support/outbox.ts'
import { type TestServer, md5, openTestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const login = (userName: string, password: string, address = '10.0.0.1') =>
  server.outsider.post('/v1/login', { userName, password: md5(password) }, { 'x-forwarded-for': address })

describe('signing in', () => {
  it('returns the login result and a cookie that scripts cannot read', async () => {
    const reply = await server.outsider.raw({
      method: 'POST',
      url: '/v1/login',
      payload: { userName: 'hospital', password: md5('Spd@2026') },
    })
    expect(reply.json()).toMatchObject({
      code: 0,
      msg: '',
      info: {
        user_info: { system_type: 1, must_change: false },
        employee_info: { org_name: '澄岚演示医学院附属医院' },
        is_use_system: 1,
      },
    })
    expect(reply.json().info.r_id).toMatch(/^[\w-]{30,}$/)
    expect(reply.cookies[0]).toMatchObject({ name: 'sid', httpOnly: true, sameSite: 'Lax', path: '/' })
  })

  it('accepts a form as well as JSON', async () => {
    const reply = await server.outsider.raw({
      method: 'POST',
      url: '/v1/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `userName=dealer&password=${md5('Spd@2026')}`,
    })
    expect(reply.json().code).toBe(0)
  })

  it('asks for what is missing in the words of the sign-in page', async () => {
    expect(await server.outsider.post('/v1/login', { userName: ' ', password: '' })).toMatchObject({
      status: 200,
      code: 2000,
      msg: '请填写登录账号',
      errors: [
        { field: 'userName', msg: '请填写登录账号' },
        { field: 'password', msg: '请填写登录密码' },
      ],
    })
  })

  it('answers known and unknown names alike', async () => {
    const known = await login('vendor', 'wrong', '10.0.1.1')
    const unknown = await login('nobody', 'wrong', '10.0.1.1')
    expect({ ...known }).toEqual({ ...unknown })
    expect(known).toMatchObject({ status: 200, code: 1001, msg: '账号或密码错误' })
  })

  it('locks the account for this address after five wrong passwords, even for the right one', async () => {
    for (let attempt = 0; attempt < 5; attempt++) expect((await login('vendor2', 'wrong', '10.0.2.1')).code).toBe(1001)
    expect(await login('vendor2', 'Spd@2026', '10.0.2.1')).toMatchObject({
      status: 200,
      code: 1002,
      msg: '账号已锁定，请15分钟后再试',
    })
    expect((await login('vendor2', 'Spd@2026', '10.0.2.2')).code).toBe(0)
  })

  it('counts guesses that come at once', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => login('dealer2', 'wrong', '10.0.3.1')))
    expect(replies.filter(reply => reply.code === 1001).length).toBeLessThanOrEqual(5)
    expect(replies.some(reply => reply.code === 1002)).toBe(true)
  })

  it('locks the account for all addresses after twenty wrong passwords in total', async () => {
    for (let address = 0; address < 5; address++)
      for (let attempt = 0; attempt < 4; attempt++) await login('buyer', 'wrong', `10.0.4.${address}`)
    expect((await login('buyer', 'Spd@2026', '10.0.4.99')).code).toBe(1002)
  })

  it('blocks an address that tries two hundred times', async () => {
    await server.database.owner`insert into sign_in_failure (login, address) select 'guess' || n, '10.0.5.1'
        from generate_series(1, 200) n`
    const reply = await server.outsider.raw({
      method: 'POST',
      url: '/v1/login',
      payload: { userName: 'another', password: md5('x') },
      headers: { 'x-forwarded-for': '10.0.5.1' },
    })
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '900'])
    expect(reply.json().code).toBe(1090)
  })

  it('refuses users whose organisation waits for its audit or was refused', async () => {
    await server.database.owner`update organisation set audit_state = 'pending' where code = 'V01'`
    expect(await login('vendor', 'Spd@2026', '10.0.6.1')).toMatchObject({
      code: 1004,
      msg: '机构正在审核中，请耐心等待',
    })
    await server.database
      .owner`update organisation set audit_state = 'refused', audit_reason = '资料不全' where code = 'V01'`
    expect(await login('vendor', 'Spd@2026', '10.0.6.1')).toMatchObject({ code: 1004, msg: '机构审核未通过：资料不全' })
    await server.database.owner`update organisation set audit_state = 'passed' where code = 'V01'`
  })

  it('says the same of an account by password and by code, and only after the right one', async () => {
    const { owner } = server.database
    const phone = '13900009901'
    await owner`update app_user set phone = ${phone} where login = 'vendor'`
    const vendor = (set: string) => owner.unsafe(`update organisation set ${set} where code = 'V01'`)
    const account = (status: string) => owner`update app_user set status = ${status} where login = 'vendor'`
    const standings: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      ['机构正在审核中，请耐心等待', () => vendor("audit_state = 'pending'"), () => vendor("audit_state = 'passed'")],
      [
        '机构审核未通过：资料不全',
        () => vendor("audit_state = 'refused', audit_reason = '资料不全'"),
        () => vendor("audit_state = 'passed'"),
      ],
      ['机构已停用，请联系平台', () => vendor("status = 'disabled'"), () => vendor("status = 'enabled'")],
      ['账号已停用', async () => account('disabled'), async () => account('enabled')],
    ]
    for (const [at, [msg, begin, end]] of standings.entries()) {
      await begin()
      await minuteLater(server)
      expect((await login('vendor', 'Spd@2026', `10.0.7.${at}`)).msg).toBe(msg)
      expect((await enterByCode(server, phone)).msg).toBe(msg)
      expect((await login('vendor', 'wrong', `10.0.7.${at}`)).msg).toBe('账号或密码错误')
      const guess = await server.outsider.post('/v1/loginByVerifyCode', { UserName: phone, VerifyCode: '000000' })
      expect(guess.code).not.toBe(0)
      expect(guess.msg).not.toBe(msg)
      await end()
    }
    expect((await login('vendor', 'Spd@2026', '10.0.7.9')).code).toBe(0)
  })
})

describe('an address', () => {
  it('is refused where it asks for something that is not there', async () => {
    const hospital = await server.as('hospital')
    const menu = '/v1/user/get_user_menu/yrtweb'
    expect((await hospital.get(menu, { all: '1', type: 'X' })).msg).toBe('“type”没有“X”这个选项')
    expect((await hospital.get(menu, { all: '1', type: 'V' })).msg).toBe('没有操作权限')
    expect((await hospital.get(menu, { all: '1', type: 'H' })).code).toBe(0)
    expect((await hospital.get('/v1/trace', { code: 'X', direction: 'back' })).msg).toContain('没有“back”这个选项')
    expect((await hospital.get('/v1/business/warehouse/list', { types: '1' })).code).toBe(2000)
    expect((await hospital.get('/v1/business/warehouse/list', { type: '9' })).code).toBe(2000)
  })
})

describe('the session', () => {
  it('is requested with HTTP 401 when it is missing or ended', async () => {
    expect(await server.outsider.get('/v1/business/product/list')).toMatchObject({
      status: 401,
      code: 401,
      msg: '登录已失效，请重新登录',
    })
    const dead = await server.outsider.raw({
      method: 'GET',
      url: '/v1/user/user_info',
      headers: { cookie: 'sid=made-up' },
    })
    expect(dead.statusCode).toBe(401)
  })

  it('is restored with the stores and ended by signing out', async () => {
    const client = await server.as('keeper', 'Spd@2026')
    const restored = await client.get('/v1/user/user_info')
    expect(restored.info.warehouse_list.length).toBeGreaterThan(5)
    expect(restored.info.warehouse_list.map((row: { name: string }) => row.name)).not.toContain('停售库')
    await client.post('/v1/logout')
    expect((await client.get('/v1/user/user_info')).status).toBe(401)
  })

  it('ends at once with its user and its organisation', async () => {
    const client = await server.as('finance', 'Spd@2026')
    await server.database.owner`update app_user set status = 'disabled' where login = 'finance'`
    expect((await client.get('/v1/user/user_info')).status).toBe(401)
    await server.database.owner`update app_user set status = 'enabled' where login = 'finance'`
  })

  it('is extended by every call, but ends after a week at the latest', async () => {
    const client = await server.as('finance', 'Spd@2026')
    const leftAfter = async (age: string) => {
      const [row] = await server.database.owner<{ token_hash: string }[]>`
        update session set created_at = now() - ${age}::interval, seen_at = now() - interval '6 minutes',
          expires_at = now() + interval '1 minute'
         where token_hash = (select token_hash from session s join app_user u on u.id = s.user_id
           where u.login = 'finance' order by s.seen_at desc limit 1) returning token_hash`
      expect((await client.get('/v1/user/user_info')).status).toBe(200)
      const [left] = await server.database.owner<{ hours: number }[]>`
        select round(extract(epoch from expires_at - now()) / 3600)::int as hours from session
          where token_hash = ${row!.token_hash}`
      return left!.hours
    }
    expect(await leftAfter('1 day')).toBe(12)
    expect(await leftAfter('6 days 19 hours')).toBe(5)
    await leftAfter('7 days 1 minute')
    expect((await client.get('/v1/user/user_info')).status).toBe(401)
  })
})

story('passwords', step => {
  step('must be changed before any work when they are initial or too old', async () => {
    const client = await server.as('nurse', 'Spd@2026')
    await server.database
      .owner`update app_user set password_cycle = 90, password_changed_at = now() - interval '91 days'
        where login = 'nurse'`
    expect(await client.get('/v1/business/product/list')).toMatchObject({
      status: 200,
      code: 1010,
      msg: '请先修改密码',
    })
    expect((await client.get('/v1/user/user_info')).info.user_info.must_change).toBe(true)
    expect(
      (await client.post('/v1/user/change_my_password', { old: md5('Spd@2026'), password: md5('Next@2026') })).code,
    ).toBe(0)
    const again = await server.as('nurse', 'Next@2026')
    expect((await again.get('/v1/business/product/list')).code).toBe(0)
  })

  step('end every session of the user when they change, that of the change too', async () => {
    const [one, other] = [await server.as('nurse', 'Next@2026'), await server.as('nurse', 'Next@2026')]
    expect(
      (await one.post('/v1/user/change_my_password', { old: md5('Next@2026'), password: md5('Third@2026') })).code,
    ).toBe(0)
    expect((await one.get('/v1/user/user_info')).status).toBe(401)
    expect((await other.get('/v1/user/user_info')).status).toBe(401)
  })

  step('can be changed before sign-in with name and old password; a wrong one is refused', async () => {
    const change = (old: string, password: string) =>
      server.outsider.post('/v1/user/change_password', { userName: 'nurse', old: md5(old), password: md5(password) })
    expect(await change('wrong', 'Fourth@2026')).toMatchObject({ code: 1001, msg: '当前密码不正确' })
    expect((await change('Third@2026', 'Third@2026')).code).toBe(2000)
    expect((await change('Third@2026', 'Fourth@2026')).code).toBe(0)
    expect((await server.as('nurse', 'Fourth@2026')).get).toBeTypeOf('function')
  })

  step('are stored as argon2id, never as sent', async () => {
    const [row] = await server.database.owner<
      { password_hash: string }[]
    >`select password_hash from app_user where login = 'hospital'`
    expect(row?.password_hash).toMatch(/^\$argon2id\$/)
  })
})
