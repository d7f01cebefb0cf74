import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enterByCode, enterFirst, firstPassword, lastCode, outboxOf, solved } from '#tests/support/outbox.ts'
import { type Client, md5, openTestServer, type TestServer } from '#tests/support/test-server.ts'

/** The rules for passwords on every way to set one, and which sessions a new password ends. */
let server: TestServer
let hospital: Client
beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
})
afterAll(() => server.close())

let accounts = 0
/** A new account of the hospital with a chosen password, signed in. */
async function newAccount(chosen = 'Mine@2026') {
  const at = ++accounts
  const account = { login: `person${at}`, phone: `138000${String(10_000 + at)}`, chosen }
  const reply = await hospital.post('/v1/business/user/add', { ...account, chosen: undefined, name: `某人${at}` })
  expect(reply.msg).toBe('')
  const client = await enterFirst(server, account)
  return { ...account, client, sn: reply.info.sn as string }
}
const change = (client: Client, old: string, password: string) =>
  client.post('/v1/user/change_my_password', { old: md5(old), password: md5(password) })
const byName = (userName: string, old: string, password: string) =>
  server.outsider.post('/v1/user/change_password', { userName, old: md5(old), password: md5(password) })
async function recover(phone: string, password: string) {
  const image = await solved(server)
  const asked = { imageId: image.id, imageAnswer: image.answer }
  await server.outsider.get(`/v1/user/retrieve_pwd/code/${phone}`, asked)
  const VerifyCode = lastCode(server, phone)
  const reply = (Password: string) =>
    server.outsider.post('/v1/user/retrieve_pwd/change_password', { Name: phone, VerifyCode, Password: md5(Password) })
  return { first: await reply(password), again: reply }
}
const isAlive = async (client: Client) => (await client.get('/v1/user/user_info')).status === 200

const COMMON = '新密码过于常见，容易被猜中，请另设一个'
const NAME = '新密码不能是登录账号或手机号'
const LAST = '新密码不能与最近5次使用过的密码相同'

describe('a password that is refused', () => {
  it.each(['123456', 'password', 'iloveyou', 'Aa123456', 'admin@123', 'qwer1234', ''])(
    '%s, on every way to one',
    async common => {
      const { client, login, phone, chosen } = await newAccount()
      const field = [{ field: 'password', msg: COMMON }]
      expect(await change(client, chosen, common)).toMatchObject({ code: 2000, msg: COMMON, errors: field })
      expect((await byName(login, chosen, common)).msg).toBe(COMMON)
      const recovered = await recover(phone, common)
      expect(recovered.first).toMatchObject({ msg: COMMON, Msg: COMMON })
      // The code is not used up by a refusal.
      expect((await recovered.again('Other@2026')).code).toBe(0)
    },
  )

  it('the login name and the phone number', async () => {
    const { client, login, phone, chosen } = await newAccount()
    for (const name of [login, login.toUpperCase(), phone]) {
      expect((await change(client, chosen, name)).msg, name).toBe(NAME)
      expect((await byName(login, chosen, name)).msg, name).toBe(NAME)
    }
    expect((await recover(phone, phone)).first.msg).toBe(NAME)
  })

  it('the last five, so that a demanded change cannot be undone; the sixth is free again', async () => {
    const { login, phone, chosen } = await newAccount()
    const passwords = [chosen, 'Two@2026', 'Three@2026', 'Four@2026', 'Five@2026']
    for (const [at, next] of passwords.slice(1).entries())
      expect((await byName(login, passwords[at]!, next)).msg).toBe('已成功修改登录密码，请重新登录')
    for (const former of passwords.slice(0, 4)) expect((await byName(login, 'Five@2026', former)).msg).toBe(LAST)
    expect((await byName(login, 'Five@2026', 'Five@2026')).msg).toBe('新密码不能与当前密码相同')
    expect((await recover(phone, 'Two@2026')).first.msg).toBe(LAST)
    expect((await byName(login, 'Five@2026', 'Six@2026')).code).toBe(0)
    expect((await byName(login, 'Six@2026', chosen)).code).toBe(0)
  })

  it('what is no digest', async () => {
    const { client, chosen } = await newAccount()
    for (const password of ['plain', 'Z'.repeat(32), `${md5('x')}0`])
      expect((await client.post('/v1/user/change_my_password', { old: md5(chosen), password })).msg).toBe(
        '新密码格式有误',
      )
  })

  it('a wrong old one says so, and nothing of whether the account exists', async () => {
    const { client, login } = await newAccount()
    expect((await change(client, 'guess', 'Other@2026')).msg).toBe('当前密码不正确')
    expect((await byName(login, 'guess', 'Other@2026')).msg).toBe('当前密码不正确')
    expect((await byName('nobody', 'guess', 'Other@2026')).msg).toBe('当前密码不正确')
  })
})

describe('what ends the sessions of an account', () => {
  const twice = async () => {
    const account = await newAccount()
    return { ...account, other: await server.as(account.login, account.chosen) }
  }
  const noneLeft = async (...clients: Client[]) =>
    expect(await Promise.all(clients.map(isAlive))).toEqual(clients.map(() => false))

  it('a change, that of the change too', async () => {
    const { client, other, chosen } = await twice()
    expect((await change(client, chosen, 'Other@2026')).code).toBe(0)
    await noneLeft(client, other)
  })

  it('a change by name, and a forgotten password', async () => {
    const one = await twice()
    await byName(one.login, one.chosen, 'Other@2026')
    await noneLeft(one.client, one.other)
    const two = await twice()
    await recover(two.phone, 'Other@2026')
    await noneLeft(two.client, two.other)
  })

  it('a reset, and disabling', async () => {
    for (const action of ['resetPwd', 'disable']) {
      const { client, other, sn } = await twice()
      const { version } = (await hospital.get('/v1/business/user/info', { sn })).info
      expect((await hospital.post(`/v1/business/user/${action}`, { sn, version })).msg).toBe('')
      await noneLeft(client, other)
    }
  })

  it('a sign-in ends the session that the same browser still carried', async () => {
    const { client, other, login, chosen } = await twice()
    const again = await client.post('/v1/login', { userName: login, password: md5(chosen) })
    expect(again.code).toBe(0)
    await noneLeft(client)
    expect(await isAlive(other)).toBe(true)
  })
})

describe('a first password', () => {
  const invited = async (phone: string, login: string) => {
    const reply = await hospital.post('/v1/business/user/add', { login, phone, name: '新人' })
    expect(reply.msg).toBe('')
    return reply
  }

  it('is random, goes to the holder by SMS alone, and is in no reply, row or call', async () => {
    const reply = await invited('13700000001', 'first1')
    await invited('13700000002', 'first2')
    const [one, two] = [firstPassword(server, '13700000001'), firstPassword(server, '13700000002')]
    expect(one).not.toBe(two)
    expect(one).toMatch(/^[2-9A-HJ-NP-Za-kmnp-z]{10}$/)
    expect(JSON.stringify(reply)).not.toContain(one)
    const { owner } = server.database
    const [calls] = await owner<{ text: string }[]>`
      select string_agg(concat_ws(' ', payload, request, response, error), ' ') as text from outbound_call`
    expect(calls!.text).not.toContain(one)
    const [row] = await owner<{ text: string }[]>`select u::text as text from app_user u where login = 'first1'`
    expect(row!.text).not.toContain(one)
    expect(row!.text).not.toContain(md5(one))
    for (const guess of ['13700000001', 'first1', '', '000001'])
      expect((await server.outsider.post('/v1/login', { userName: 'first1', password: md5(guess) })).code).toBe(1001)
  })

  it('is valid for 24 hours; after them the phone opens the account, or another reset', async () => {
    const { info } = await invited('13700000003', 'first3')
    const first = firstPassword(server, '13700000003')
    const { owner } = server.database
    const [row] = await owner<{ hours: number }[]>`
      select round(extract(epoch from first_password_until - now()) / 3600)::int as hours from app_user
       where login = 'first3'`
    expect(row!.hours).toBe(24)
    await owner`update app_user set first_password_until = now() - interval '1 second' where login = 'first3'`
    const late = await server.outsider.post('/v1/login', { userName: 'first3', password: md5(first) })
    expect(late.msg).toBe('初始密码已过期（24小时内有效），请用短信验证码登录，或联系管理员重置密码')
    expect((await byName('first3', first, 'Other@2026')).msg).toBe(late.msg)
    expect((await enterByCode(server, '13700000003')).info.user_info.must_change).toBe(true)
    const { version } = (await hospital.get('/v1/business/user/info', { sn: info.sn })).info
    expect((await hospital.post('/v1/business/user/resetPwd', { sn: info.sn, version })).code).toBe(0)
    const next = firstPassword(server, '13700000003')
    expect(next).not.toBe(first)
    expect((await server.as('first3', next)).get).toBeTypeOf('function')
  })

  it('must be changed before anything else, and cannot be kept', async () => {
    await invited('13700000004', 'first4')
    const first = firstPassword(server, '13700000004')
    const client = await server.as('first4', first)
    expect((await client.get('/v1/business/warehouse/list')).msg).toBe('请先修改密码')
    expect((await change(client, first, first)).msg).toBe('新密码不能与当前密码相同')
    expect((await change(client, first, 'Other@2026')).code).toBe(0)
    expect((await byName('first4', 'Other@2026', first)).msg).toBe(LAST)
  })

  it('is not sent where the holder has chosen one meanwhile', async () => {
    const { owner } = server.database
    await invited('13700000005', 'first5')
    await enterFirst(server, { login: 'first5', phone: '13700000005' })
    const sent = outboxOf(server, 'sms').length
    const [call] = await owner<{ org_id: string; id: string }[]>`
      update outbound_call set state = 'pending', next_at = now(),
        payload = (select jsonb_build_object('template', 'FIRST_PASSWORD', 'user', id::text) from app_user
          where login = 'first5')
       where object_no = 'first5' returning org_id, id`
    const { performOutbound } = await import('#server/outbound/calls.ts')
    expect(await performOutbound(server.database.app, call!.org_id, call!.id)).toBe(true)
    expect(outboxOf(server, 'sms')).toHaveLength(sent)
    expect((await server.as('first5', 'Mine@2026')).get).toBeTypeOf('function')
  })
})

describe('names of accounts', () => {
  it('a login that is the phone of another account, in any organisation, is refused, and the other way round', async () => {
    const { phone, login } = await newAccount()
    const dealer = await server.as('dealer')
    const add = (who: Client, body: object) => who.post('/v1/business/user/add', { name: '某人', ...body })
    for (const who of [hospital, dealer]) {
      expect(await add(who, { login: phone, phone: '13700000011' })).toMatchObject({
        code: 2105,
        msg: '登录账号是其他账号的手机号，请另取一个',
      })
      expect((await add(who, { login, phone: '13700000011' })).msg).toBe(`登录账号【${login}】已存在`)
    }
    expect((await add(hospital, { login: '13700000012', phone: '13700000012' })).msg).toBe('')
    const taken = '手机号是其他账号的登录账号，请核对'
    expect((await add(dealer, { login: 'dealer9', phone: '13700000012' })).msg).toBe(taken)
    const [row] = (await dealer.get('/v1/business/user/list', { login: 'dealer2' })).list
    const edit = (more: object) =>
      dealer.post('/v1/business/user/edit', { sn: row.user_inner_sn, version: row.version, ...more })
    expect((await edit({ phone: '13700000012' })).msg).toBe(taken)
    expect((await edit({ login: phone })).msg).toBe('登录账号是其他账号的手机号，请另取一个')
    // The SMS sign-in of that phone lands where it belongs.
    const entered = await enterByCode(server, phone)
    expect(entered.info.user_info.user_name).toBe(login)
  })

  it('nor is a login the phone of somebody who is not on the platform yet', async () => {
    const dealer = await server.as('dealer')
    const body = { login: '13700000021', name: '某人', phone: '13700000022' }
    expect((await dealer.post('/v1/business/user/add', body)).msg).toBe('登录账号是手机号的，须是本人的手机号')
    expect((await dealer.post('/v1/business/user/add', { ...body, phone: body.login })).msg).toBe('')
  })

  it('who changed his phone is no longer found by the one he had, though it is still his login', async () => {
    const given = { login: '13700000023', name: '某人', phone: '13700000023' }
    expect((await hospital.post('/v1/business/user/add', given)).msg).toBe('')
    const { owner } = server.database
    await owner`update app_user set phone = '13700000024' where login = '13700000023'`
    expect((await enterByCode(server, '13700000023')).msg).toBe('该手机号没有对应的账号，请先注册')
    const entered = await enterByCode(server, '13700000024')
    expect(entered.info.user_info.user_name).toBe('13700000023')
  })

  it('two that would share a name are refused by the database too, also at the same moment', async () => {
    const { owner } = server.database
    const add = (login: string, phone: string | null) => owner`
      insert into app_user (org_id, login, password_hash, name, phone)
      select org_id, ${login}, '', ${login}, ${phone} from app_user where login = 'dealer'`
    const TAKEN = { code: '23P01', constraint_name: 'app_user_names' }
    await add('shared1', '13700000031')
    await expect(add('13700000031', null)).rejects.toMatchObject(TAKEN)
    const both = await Promise.allSettled([add('shared2', '13700000032'), add('13700000032', '13700000033')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    // One person in two organisations has one phone.
    await add('shared3', '13700000031')
    await add('13700000034', '13700000034')
  })
})
