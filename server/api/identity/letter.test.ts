import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { taxRates } from '#kernel/values/tax-amounts.ts'
import { type TestServer, md5, openTestServer } from '#tests/support/test-server.ts'

/**
 * The server requirements of sections 5, 8 and 9 of the specification that no other file covers: sign-in is in
 * door.test.ts, registration in registration.test.ts, locks and sessions in identity.test.ts.
 */
let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

describe('section 5: sign-in', () => {
  const login = async (body: object) => (await server.outsider.post('/v1/login', { ...body })).msg
  it.each([
    [{ userName: '  ', password: md5('x') }, '请填写登录账号'],
    [{ userName: 'hospital', password: '   ' }, '请填写登录密码'],
    [{ password: md5('x') }, '请填写登录账号'],
    [{ userName: 'hospital' }, '请填写登录密码'],
  ])('%j: %s', async (body, sentence) => expect(await login(body)).toBe(sentence))

  it('trims the account', async () => {
    const reply = await server.outsider.post('/v1/login', { userName: '  buyer ', password: md5('Spd@2026') })
    expect(reply).toMatchObject({ code: 0, info: { user_info: { user_name: 'buyer' } } })
  })
})

describe('section 5: changing the password', () => {
  const whole = { userName: 'finance', old: md5('Spd@2026'), password: md5('New@2026') }
  it.each([
    ['userName', '【用户名】输入不能为空'],
    ['old', '【当前密码】输入不能为空'],
    ['password', '【登录密码】输入不能为空'],
  ])('without %s: %s', async (name, sentence) => {
    const reply = await server.outsider.post('/v1/user/change_password', { ...whole, [name]: ' ' })
    expect(reply).toMatchObject({ status: 200, code: 2000, msg: sentence })
  })

  it('asks for both in the same words, and confirms the change', async () => {
    const client = await server.as('finance', 'Spd@2026')
    const change = (body: object) => client.post('/v1/user/change_my_password', { ...body })
    expect((await change({ old: '', password: md5('a') })).msg).toBe('【当前密码】输入不能为空')
    expect((await change({ old: md5('a'), password: '' })).msg).toBe('【登录密码】输入不能为空')
    expect(await change({ old: md5('Spd@2026'), password: md5('New@2026') })).toMatchObject({
      code: 0,
      msg: '已成功修改登录密码，请重新登录',
    })
  })
})

describe('section 8: errors', () => {
  it('a wrong password is reported in the body, on HTTP 200', async () => {
    const reply = await server.outsider.post('/v1/login', { userName: 'buyer', password: md5('wrong') })
    expect(reply).toMatchObject({ status: 200, code: 1001, msg: '账号或密码错误' })
  })

  it('a missing session is HTTP 401 with a message for the dialog', async () => {
    for (const path of ['/v1/user/user_info', '/v1/business/purchaseOrder/list', '/v1/business/message/unread'])
      expect(await server.outsider.get(path)).toMatchObject({ status: 401, code: 401, msg: '登录已失效，请重新登录' })
  })

  it('a missing right is not an ended session: HTTP 200, body code 403', async () => {
    const nurse = await server.as('nurse')
    expect(await nurse.post('/v1/business/user/add', {})).toMatchObject({ status: 200, code: 403, msg: '没有操作权限' })
  })

  it('an unknown path is HTTP 404, in the envelope', async () => {
    expect(await server.outsider.get('/v1/nothing')).toMatchObject({ status: 404, code: 404 })
  })

  it('an unknown field is named', async () => {
    const reply = await server.outsider.post('/v1/login', { userName: 'a', password: 'b', remember: '1' })
    expect(reply).toMatchObject({ code: 2000, errors: [{ field: 'remember', msg: '没有“remember”这个字段' }] })
  })
})

describe('section 9: constants', () => {
  it('tax rates are 0, 1, 3, 6, 9 and 13 percent', async () => {
    expect([...taxRates]).toEqual([0, 1, 3, 6, 9, 13])
    const dealer = await server.as('dealer')
    const [row] = (await dealer.get('/v1/business/dealerProduct/list', { pageSize: '1' })).list
    const key =
      Object.keys(row).find(name => name.endsWith('_sn') && row[name] && name.startsWith('dealer_product')) ?? ''
    const set = (version: number, rate: string) =>
      dealer.post('/v1/business/dealerProduct/edit', { sn: row[key], version, tax_rate: rate })
    let version = parseInteger(row.version)
    for (const rate of taxRates) {
      const reply = await set(version, String(rate))
      expect(reply.code, `${rate}: ${reply.msg}`).toBe(0)
      version = reply.info.version
    }
    for (const rate of ['2', '5', '17', '-1', '0.13']) expect((await set(version, rate)).code, rate).toBe(2000)
  })

  it('stores of type 2 are those of stopped sale, 3 all others; without a type those that users choose', async () => {
    const hospital = await server.as('hospital')
    const models = async (query: Record<string, string>) =>
      new Set((await hospital.get('/v1/business/warehouse/list', query)).list.map(row => row.model as string))
    expect([...(await models({ type: '2' }))]).toEqual(['stopSale'])
    for (const query of [{}, { type: '3' }]) expect(await models(query)).not.toContain('stopSale')
  })

  it('a mobile is 1 and ten digits, a credit code 18 letters or digits, names contain none of * < > ?', async () => {
    const platform = await server.as('platform')
    const add = async (more: object) =>
      (
        await platform.post('/v1/business/organisation/add', {
          name: '甲',
          system_type: '2',
          social_credit_code: '91320506MA1ABCDE0X',
          ...more,
        })
      ).msg
    for (const mark of ['*', '<', '>', '?'])
      expect(await add({ name: `甲${mark}` })).toBe('机构名称中请不要输入特殊字符')
    for (const code of ['123', '91320506MA1ABCDE0-', '91320506MA1ABCDE0XX'])
      expect(await add({ social_credit_code: code })).toBe('统一社会信用代码格式为字母或数字组合的18位')
    for (const phone of ['2390000000', '1390000000', '139000000000', '1390000000a'])
      expect(await add({ registrant_phone: phone })).toBe('手机号码格式输入有误')
  })
})
