import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type TestServer, md5, openTestServer } from '#tests/support/test-server.ts'
import {
  changeCode,
  enterByCode,
  firstPassword,
  lastCode,
  minuteLater,
  registerCode,
  solved,
} from '#tests/support/outbox.ts'

/** Registration as described in sections 5, 6 and 8 of the specification, from the form to the first sign-in. */
let server: TestServer
let platform: Client
beforeAll(async () => {
  server = await openTestServer()
  platform = await server.as('platform')
})
afterAll(() => server.close())

const form = (more: Record<string, string> = {}) => ({
  administrative_division_sn: '320506',
  system_type: '2',
  name: '栖梧医疗器械有限公司',
  alias: '',
  address: '吴中区东方大道1号',
  registrant: '沈知节',
  registrant_phone: '13900003001',
  registrant_email: '',
  description: '',
  social_credit_code: '91320506MA1ABCDE0X',
  verifyCode: '123456',
  ...more,
})
const send = (more: Record<string, string> = {}) => server.outsider.post('/v1/register/org', form(more))
const login = (phone: string, password: string) =>
  server.outsider.post('/v1/login', { userName: phone, password: md5(password) })
const rowOf = async (name: string) =>
  (await platform.get('/v1/business/registrationAudit/list', { name, state: 'pending' })).list[0]
const register = async (more: Record<string, string>) => {
  const verifyCode = await registerCode(server, form(more).registrant_phone)
  const reply = await send({ ...more, verifyCode })
  expect(reply.code, reply.msg).toBe(0)
  return rowOf(form(more).name)
}
const decide = (action: string, row: { sn: string; version: number }, more = {}) =>
  platform.post(`/v1/business/registrationAudit/${action}`, { sn: row.sn, version: row.version, ...more })

describe('before the SMS', () => {
  const ask = async (more: Record<string, string>) =>
    (await server.outsider.post('/v1/register/sendMsg', { phone: '13900003999', id: 'x', answer: 'AB', ...more })).msg

  it('asks for the image code, its length and the phone, in this order', async () => {
    expect(await ask({ answer: ' ', phone: '' })).toBe('请先填写图形验证码')
    expect(await ask({ answer: '123456', phone: '' })).toBe('图形验证码格式错误')
    expect(await ask({ phone: ' ' })).toBe('请输入手机号码')
    expect(await ask({ phone: '139000039999' })).toBe('手机号码有效长度是11位')
    expect(await ask({ phone: '23900003999' })).toBe('手机号码格式输入有误')
  })

  it('confirms that the code was sent', async () => {
    expect(
      await server.outsider.post('/v1/register/sendMsg', { phone: '13900003998', ...(await solved(server)) }),
    ).toMatchObject({ code: 0, msg: '验证码发送成功，请在5分钟内尽快输入。' })
  })
})

describe('the form', () => {
  const order: [string, Record<string, string>][] = [
    ['请输入经销商名称', { name: ' ' }],
    ['经销商名称中请不要输入特殊字符', { name: '栖梧<医疗>' }],
    ['请输入统一社会信用代码', { social_credit_code: '' }],
    ['统一社会信用代码有效长度是18位', { social_credit_code: '9132' }],
    ['统一社会信用代码格式为字母或数字组合的18位', { social_credit_code: '91320506MA1ABCDE-X' }],
    ['请输入地址', { address: '  ' }],
    ['请输入联系人', { registrant: '' }],
    ['请输入手机号码', { registrant_phone: '' }],
    ['手机号码有效长度是11位', { registrant_phone: '139000030011' }],
    ['手机号码格式输入有误', { registrant_phone: '29000030011' }],
    ['请填写短信验证码', { verifyCode: '' }],
    ['请填写由数字组成的短信验证码', { verifyCode: '12345a' }],
    ['邮箱格式输入有误', { registrant_email: 'nobody' }],
  ]

  it.each(order)('says %s', async (sentence, more) => {
    expect(await send(more)).toMatchObject({ status: 200, code: 2000, msg: sentence })
  })

  it('reports the first of several errors in form order, and names the chosen organisation type', async () => {
    const empty = Object.fromEntries(Object.keys(form()).map(name => [name, '']))
    const reply = await send({ ...empty, system_type: '1' })
    expect(reply.msg).toBe('请输入医院名称')
    expect(reply.errors.map((error: { field: string }) => error.field)).toEqual([
      'name',
      'social_credit_code',
      'address',
      'registrant',
      'registrant_phone',
      'verifyCode',
    ])
    expect((await send({ name: '', system_type: '3' })).msg).toBe('请输入厂商名称')
  })

  it('refuses a wrong code and keeps the right one for the next try', async () => {
    const phone = '13900003002'
    const verifyCode = await registerCode(server, phone)
    const wrong = verifyCode === '000000' ? '111111' : '000000'
    expect((await send({ registrant_phone: phone, verifyCode: wrong })).code).toBe(1111)
    expect((await send({ registrant_phone: phone, verifyCode, address: '' })).code).toBe(2000)
    const more = { registrant_phone: phone, verifyCode, social_credit_code: '91320506MA1ABCDE02', name: '甲公司' }
    expect(await send(more)).toMatchObject({
      code: 0,
      msg: expect.stringMatching(/^注册成功.*初始密码均为注册人手机号码/),
    })
    expect((await send({ ...more, social_credit_code: '91320506MA1ABCDE03' })).code).toBe(1112)
  })
})

describe('an applicant who is already known', () => {
  const attempt = async (more: Record<string, string>) => {
    await minuteLater(server)
    const verifyCode = await registerCode(server, form(more).registrant_phone)
    return send({ ...more, verifyCode })
  }

  it('detects a known phone, a known credit code and a waiting registration', async () => {
    const [user] = await server.database.owner<{ phone: string }[]>`select phone from app_user where login = 'dealer'`
    expect(await attempt({ registrant_phone: user?.phone ?? '' })).toMatchObject({
      code: 1201,
      msg: `手机号码${user?.phone}已注册账号，请直接登录或重置密码`,
    })
    const [org] = await server.database.owner<{ code: string; name: string }[]>`
      select social_credit_code as code, name from organisation where code = 'D01'`
    expect(await attempt({ registrant_phone: '13900003011', social_credit_code: org?.code ?? '' })).toMatchObject({
      code: 1202,
      msg: expect.stringContaining(`已注册为经销商【${org?.name}】`),
    })
    const waiting = { registrant_phone: '13900003012', social_credit_code: '91320506MA1ABCDE12' }
    expect((await attempt(waiting)).code).toBe(0)
    expect(await attempt({ ...waiting, social_credit_code: '91320506MA1ABCDE13' })).toMatchObject({
      code: 1201,
      msg: expect.stringContaining('请等待平台审核'),
    })
    expect(await attempt({ ...waiting, registrant_phone: '13900003013' })).toMatchObject({
      code: 1202,
      msg: '统一社会信用代码91320506MA1ABCDE12已有注册申请正在审核，请等待平台审核',
    })
    expect((await attempt({ ...waiting, registrant_phone: '13900003014', system_type: '3' })).code).toBe(0)
  })

  it('sent twice under one X-Request-Id is run once and answered twice, also when both come at once', async () => {
    const phone = '13900003777'
    const body = form({
      name: '重发医疗器械有限公司',
      registrant_phone: phone,
      social_credit_code: '91320506MA1RETRY77',
    })
    const verifyCode = await registerCode(server, phone)
    const once = (more: object = {}, id = 'retry-1') =>
      server.outsider.post('/v1/register/org', { ...body, verifyCode, ...more }, { 'x-request-id': id })
    expect((await once({ address: '' })).msg).toBe('请输入地址')
    const [first, second] = await Promise.all([once(), once()])
    expect([first?.code, second?.code, second?.msg]).toEqual([0, 0, first?.msg])
    expect((await once()).code).toBe(0)
    expect((await once({ name: '另一家公司' })).code).toBe(2107)
    expect((await once({}, '坏'.repeat(2))).code).toBe(2000)
    expect((await once({}, 'retry-2')).code).not.toBe(0)
    const rows = await server.database.owner`select 1 from registration where registrant_phone = ${phone}`
    expect(rows).toHaveLength(1)
    const { id, answer } = await solved(server)
    const sends = await Promise.all(
      [1, 2].map(() =>
        server.outsider.post('/v1/register/sendMsg', { phone: '13900003778', id, answer }, { 'x-request-id': 'sms-1' }),
      ),
    )
    expect(sends.map(reply => reply.code)).toEqual([0, 0])
  })

  it('accepts one of many sent at once', async () => {
    const phones = ['13900003021', '13900003022', '13900003023', '13900003024']
    const codes = await Promise.all(phones.map(phone => registerCode(server, phone)))
    const replies = await Promise.all(
      phones.map((registrant_phone, at) =>
        send({ registrant_phone, social_credit_code: '91320506MA1ABCDE21', verifyCode: codes[at] ?? '' }),
      ),
    )
    expect(replies.map(reply => reply.code).sort()).toEqual([0, 1202, 1202, 1202])
  })
})

describe('the audit', () => {
  it('is announced to the platform with a link', async () => {
    const row = await register({
      registrant_phone: '13900003101',
      social_credit_code: '91320506MA1ABCD101',
      name: '报喜公司',
    })
    const [message] = await server.database.owner`
      select title, body, uri, object_id, extra, kind from message where object_id = ${row.sn} and uri = 'registration'`
    expect(message).toMatchObject({
      uri: 'registration',
      extra: { name: '报喜公司', system_type: 2, org_name: '报喜公司' },
    })
    const found = await platform.get('/v1/business/registrationAudit/list', { name: '报喜公司', system_type: '2' })
    expect(found.list).toMatchObject([
      { sn: row.sn, state: 'pending', division_name: '江苏省苏州市吴中区', code_hint: '校验位不符，请核对证照' },
    ])
  })

  it('makes the account wait, with a message', async () => {
    const more = { registrant_phone: '13900003102', social_credit_code: '91320506MA1ABCD102', name: '等候公司' }
    await register(more)
    await minuteLater(server)
    expect(await enterByCode(server, '13900003102')).toMatchObject({ code: 1004, msg: '机构正在审核中，请耐心等待' })
    // A registrant's password is the phone number: with it the sign-in gets the same answer, with any other it says
    // nothing.
    expect(await login('13900003102', '13900003102')).toMatchObject({ code: 1004, msg: '机构正在审核中，请耐心等待' })
    expect((await login('13900003102', 'Spd@2026')).code).toBe(1001)
    expect((await login('13900003102', '')).code).toBe(1001)
  })

  it('creates organisation, role and account; first sign-in adds departments, stores, password change', async () => {
    const row = await register({
      registrant_phone: '13900003103',
      social_credit_code: '91320506ma1abcd103',
      name: '新生公司',
    })
    expect((await decide('pass', row)).code).toBe(0)
    expect(await decide('pass', row)).toMatchObject({ code: 2101, msg: '该申请已审核，请刷新列表' })
    const phone = '13900003103'
    const first = await login(phone, phone)
    expect(first).toMatchObject({
      code: 0,
      info: {
        user_info: { must_change: true, must_verify: true, system_type: 2, org_name: '新生公司', name: '沈知节' },
        departments: [],
      },
    })
    let client = await server.as(phone, phone)
    expect(await client.get('/v1/business/product/list')).toMatchObject({
      status: 200,
      code: 1010,
      msg: '请先修改密码',
    })
    const change = { old: md5(phone), password: md5('Mine@2026'), VerifyCode: await changeCode(server, phone) }
    expect((await client.post('/v1/user/change_my_password', change)).code).toBe(0)
    const again = await login(phone, 'Mine@2026')
    expect(again.info).toMatchObject({
      user_info: { must_change: false, must_verify: false },
      departments: expect.arrayContaining([expect.objectContaining({ name: '仓储部' })]),
    })
    client = await server.as(phone, 'Mine@2026')
    expect((await client.get('/v1/business/warehouse/list')).list.map(store => store.name)).toEqual(['主仓库'])
    expect((await client.get('/v1/business/warehouse/list', { type: '2' })).list.map(store => store.name)).toEqual([
      '停售库',
    ])
    const roles = (await client.get('/v1/business/role/list')).list
    expect(roles[0]).toMatchObject({ name: '管理员', is_system: true })
    // Created by the platform's default template for the organisation type.
    expect(roles.map(role => role.name)).toEqual(expect.arrayContaining(['采购员', '销售员', '库管员', '财务']))
    const { list } = await client.get('/v1/user/get_user_menu/yrtweb')
    expect(list.map(group => group.title)).toContain('采购管理')
  })

  it('refuses with a reason that the applicant sees; the applicant may apply again with the same code', async () => {
    const more = { registrant_phone: '13900003104', social_credit_code: '91320506MA1ABCD104', name: '再来公司' }
    const row = await register(more)
    expect(await decide('noPass', row)).toMatchObject({ code: 2000, msg: '请填写不通过原因' })
    expect((await decide('noPass', row, { reason: '字'.repeat(201) })).code).toBe(2000)
    expect((await decide('noPass', row, { reason: '资料不全' })).code).toBe(0)
    await minuteLater(server)
    expect(await enterByCode(server, '13900003104')).toMatchObject({ code: 1004, msg: '机构审核未通过：资料不全' })
    expect((await login('13900003104', '13900003104')).msg).toBe('机构审核未通过：资料不全')
    await minuteLater(server)
    const again = await register(more)
    expect(again.sn).not.toBe(row.sn)
    await minuteLater(server)
    expect((await enterByCode(server, '13900003104')).msg).toBe('机构正在审核中，请耐心等待')
  })

  it('matches an organisation on file: no second one is created, the applicant becomes administrator', async () => {
    const added = await platform.post('/v1/business/organisation/add', {
      name: '在册 (苏州) 公司',
      system_type: '2',
      social_credit_code: '91320506MA1ABCD105',
    })
    const row = await register({
      registrant_phone: '13900003105',
      social_credit_code: '91320506MA1ABCD105',
      name: '在册苏州公司',
    })
    expect(row.similar).toBe('在册 (苏州) 公司（信用代码相同）')
    expect(await decide('pass', row)).toMatchObject({ code: 1202, msg: '统一社会信用代码已存在，请使用匹配' })
    expect((await decide('match', row)).msg).toBe('请选择相关机构。')
    expect((await decide('match', row, { org_sn: '999999' })).msg).toBe('被编辑过的相关机构名称不存在。')
    const hospital = server.masters.organisations.get('H01') ?? ''
    expect((await decide('match', row, { org_sn: hospital })).msg).toContain('机构类型不同')
    expect((await decide('match', row, { org_sn: added.info.sn })).code).toBe(0)
    expect((await login('13900003105', '13900003105')).info.user_info).toMatchObject({
      org_name: '在册 (苏州) 公司',
      must_change: true,
    })
    const [rows] = await server.database.owner`
      select count(*)::int as n from organisation where social_credit_code = '91320506MA1ABCD105'`
    expect(rows?.n).toBe(1)
  })

  it('offers organisations of the same type for 匹配, the best match first', async () => {
    for (const [name, code] of [
      ['云栖苏州诊断有限公司', '91320506MA1ABCD117'],
      ['云栖(苏州)有限公司', '91320506MA1ABCD118'],
      ['别家有限公司', '91320506MA1ABCD107'],
    ])
      await platform.post('/v1/business/organisation/add', { name, system_type: '2', social_credit_code: code })
    const row = await register({
      registrant_phone: '13900003107',
      social_credit_code: '91320506MA1ABCD107',
      name: '云栖苏州有限公司',
    })
    const query = { scope: 'all', system_type: String(row.system_type), resembles: row.sn, sort: 'likeness' }
    const { list } = await platform.get('/v1/business/organisation/list', query)
    expect(list.slice(0, 3).map(one => [one.name, one.likeness])).toEqual([
      ['别家有限公司', '1'],
      ['云栖(苏州)有限公司', '2'],
      ['云栖苏州诊断有限公司', '4'],
    ])
    expect(list.every(one => one.system_type === 2 || one.system_type === '2')).toBe(true)
    const dealer = await server.as('dealer')
    const asked = await dealer.get('/v1/business/organisation/list', { ...query, sort: 'org_sn' })
    expect(asked.list.every(one => one.likeness === null)).toBe(true)
  })

  it('is reserved for the platform', async () => {
    const dealer = await server.as('dealer')
    expect((await dealer.get('/v1/business/registrationAudit/list')).total).toBe(0)
    const row = await register({
      registrant_phone: '13900003106',
      social_credit_code: '91320506MA1ABCD106',
      name: '独占公司',
    })
    expect((await dealer.post('/v1/business/registrationAudit/pass', { sn: row.sn, version: row.version })).code).toBe(
      403,
    )
    expect((await platform.post('/v1/business/registrationAudit/add', { name: '私加' })).code).not.toBe(0)
    expect((await platform.post('/v1/business/registrationAudit/del', { sn: row.sn, version: row.version })).code).toBe(
      403,
    )
    expect(lastCode(server, '13900003106')).toMatch(/^\d{6}$/)
  })
})

describe('the first password of a registrant', () => {
  const admitted = async (phone: string, code: string) => {
    const row = await register({
      registrant_phone: phone,
      social_credit_code: code,
      name: `初始${phone.slice(-3)}公司`,
    })
    expect((await decide('pass', row)).code).toBe(0)
    return { phone, old: md5(phone), password: md5('Mine@2026') }
  }
  const byName = ({ phone, ...change }: { phone: string; old: string; password: string; VerifyCode?: string }) =>
    server.outsider.post('/v1/user/change_password', { userName: phone, ...change })

  it('is the phone number; changing it asks for a code sent to that phone, on both ways', async () => {
    const change = await admitted('13900003121', '91320506MA1ABCD121')
    const { phone, ...passwords } = change
    const client = await server.as(phone, phone)
    const own = (VerifyCode?: string) =>
      client.post('/v1/user/change_my_password', { ...passwords, ...(VerifyCode === undefined ? {} : { VerifyCode }) })
    const missing = [{ field: 'VerifyCode', msg: '请填写短信验证码' }]
    expect(await own()).toMatchObject({ code: 2000, errors: missing })
    expect(await byName(change)).toMatchObject({ code: 2000, errors: missing })
    expect((await own('12345a')).msg).toBe('请填写由数字组成的短信验证码')
    // A code for another purpose or another phone does not do.
    await minuteLater(server)
    const login = await enterByCode(server, phone)
    expect(login.info.user_info).toMatchObject({ must_change: true, must_verify: true })
    expect((await own(lastCode(server, phone))).code).not.toBe(0)
    const code = await changeCode(server, phone)
    expect((await own(code === '000000' ? '111111' : '000000')).code).toBe(1111)
    expect((await own(await changeCode(server, '13900003122'))).code).not.toBe(0)
    // A refused password does not use the code up; the right change does.
    expect((await byName({ ...change, password: md5('123456'), VerifyCode: code })).code).toBe(2000)
    expect((await byName({ ...change, VerifyCode: code })).msg).toBe('已成功修改登录密码，请重新登录')
    expect((await server.as(phone, 'Mine@2026')).get).toBeTypeOf('function')
    // From then on a change needs no code.
    expect((await byName({ phone, old: md5('Mine@2026'), password: md5('Next@2026') })).code).toBe(0)
  })

  it('is announced to the phone, ends after 24 hours, and 重置密码 leads in', async () => {
    const change = await admitted('13900003123', '91320506MA1ABCD123')
    const { phone } = change
    const [call] = await server.database.owner<{ text: string }[]>`
      select payload ->> 'text' as text from outbound_call where object_no = ${phone}`
    expect(call?.text).toContain('初始密码均为本手机号码')
    await server.database.owner`
      update app_user set first_password_until = first_password_until - interval '24 hours' where login = ${phone}`
    const late = '初始密码已过期（24小时内有效），请点【重置密码】，凭短信验证码设置新密码'
    expect((await login(phone, phone)).msg).toBe(late)
    expect((await byName({ ...change, VerifyCode: await changeCode(server, phone) })).msg).toBe(late)
    await minuteLater(server)
    const { id, answer } = await solved(server)
    await server.outsider.get(`/v1/user/retrieve_pwd/code/${phone}`, { imageId: id, imageAnswer: answer })
    const reset = { Name: phone, VerifyCode: lastCode(server, phone), Password: md5('Mine@2026') }
    expect((await server.outsider.post('/v1/user/retrieve_pwd/change_password', reset)).code).toBe(0)
    expect((await login(phone, 'Mine@2026')).info.user_info).toMatchObject({ must_change: false, must_verify: false })
  })

  it('ends when the account gets another phone: the code would go to somebody else', async () => {
    const { phone } = await admitted('13900003124', '91320506MA1ABCD124')
    await server.database.owner`update app_user set phone = '13900003125' where login = ${phone}`
    expect((await login(phone, phone)).msg).toContain('初始密码已过期')
  })

  it('is random again once somebody resets it', async () => {
    const { phone } = await admitted('13900003126', '91320506MA1ABCD126')
    const [row] = (await platform.get('/v1/business/account/list', { login: phone })).list
    const reset = { sn: row.account_sn, version: row.version, reason: '本人忘记密码' }
    expect((await platform.post('/v1/business/account/resetPwd', reset)).msg).toBe('')
    expect((await login(phone, phone)).code).toBe(1001)
    expect((await login(phone, firstPassword(server, phone))).info.user_info).toMatchObject({ must_verify: false })
  })
})
