import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestServer, md5, openTestServer } from '#tests/support/test-server.ts'
import { answerOf, lastCode, minuteLater, outboxOf, solved } from '#tests/support/outbox.ts'

/**
 * Sections 5, 8 and 9 of the specification over HTTP: captcha, SMS codes, signing in with one, the forgotten
 * password.
 */
let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const ask = (path: string, query = {}, address = '10.1.0.1') =>
  server.outsider
    .raw({ method: 'GET', url: path, query, headers: { 'x-forwarded-for': address } })
    .then(reply => ({ status: reply.statusCode, headers: reply.headers, ...reply.json() }))
const loginCode = async (phone: string, captcha?: { id: string; answer: string }, address?: string) => {
  const { id, answer } = captcha ?? (await solved(server))
  return ask(`/v1/user/get_login_code/${phone}`, { id, captchaResult: answer }, address)
}
const sentence = '验证码发送成功，请在5分钟内尽快输入。'

describe('the image captcha', () => {
  it('is a PNG raster without text, and nothing else in the reply reveals the answer', async () => {
    const { info } = await ask('/v1/captcha/code')
    expect(Object.keys(info).sort()).toEqual(['id', 'img'])
    expect(info.img).toMatch(/^data:image\/png;base64,/)
    const png = Buffer.from(info.img.split(',')[1], 'base64')
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    const chunks: string[] = []
    for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
      chunks.push(png.toString('ascii', at + 4, at + 8))
    expect([...new Set(chunks)]).toEqual(['IHDR', 'pHYs', 'IDAT', 'IEND'])
    expect(answerOf(server, info.id)).toMatch(/^[0-9A-Z]{1,5}$/)
  })

  it('takes 1 to 5 characters, trimmed, in either case', async () => {
    const { id, answer } = await solved(server)
    for (const wrong of ['', '   ', '123456'])
      expect(await loginCode('13900002001', { id, answer: wrong })).toMatchObject({
        code: 2000,
        msg: '请填写正确格式的图形验证码',
      })
    expect(await loginCode('13900002001', { id, answer: ` ${answer.toLowerCase()} ` })).toMatchObject({
      code: 0,
      msg: sentence,
    })
  })

  it('is valid for one try, right or wrong, and for five minutes', async () => {
    const wrong = await solved(server)
    expect((await loginCode('13900002002', { ...wrong, answer: '0' })).code).toBe(1101)
    expect((await loginCode('13900002002', wrong)).code).toBe(1102)
    const right = await solved(server)
    expect((await loginCode('13900002002', right)).code).toBe(0)
    expect((await loginCode('13900002003', right)).code).toBe(1102)
    const old = await solved(server)
    await server.database.owner`update captcha set expires_at = now() - interval '1 second'`
    expect(await loginCode('13900002003', old)).toMatchObject({ code: 1102, msg: '图形验证码已失效，请刷新后重新输入' })
    expect((await loginCode('13900002003', { id: 'made-up', answer: 'A' })).code).toBe(1102)
  })

  it('is accepted once even when ten requests come at once', async () => {
    const captcha = await solved(server)
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => loginCode(`1390000210${n}`, captcha)))
    expect(replies.filter(reply => reply.code === 0).length).toBe(1)
  })
})

describe('the slider puzzle', () => {
  const hand = (x: number) => {
    const track = Array.from({ length: 21 }, (_, n) => [
      n * 17 + (n % 3) * 4,
      Math.round(x * (1 - (1 - n / 20) ** 2)),
      (n * 7) % 3,
    ])
    return JSON.stringify({ x, track })
  }

  it('is two rasters and a height; a human-like drag to the right place solves it', async () => {
    const { info } = await ask('/v1/captcha/puzzle')
    for (const picture of [info.background, info.piece]) expect(picture).toMatch(/^data:image\/png;base64,/)
    expect(info.y).toBeGreaterThanOrEqual(0)
    expect(info.y + info.piece_size).toBeLessThanOrEqual(info.height)
    const x = parseInteger(answerOf(server, info.id))
    expect(await loginCode('13900002201', { id: info.id, answer: hand(x + 3) })).toMatchObject({ code: 0 })
  })

  it('rejects a wrong place, a jump, a machine-like track and a bare number elsewhere', async () => {
    const wrong = async (answer: (x: number) => string) => {
      const { info } = await ask('/v1/captcha/puzzle')
      return (await loginCode('13900002202', { id: info.id, answer: answer(parseInteger(answerOf(server, info.id))) }))
        .code
    }
    expect(await wrong(x => hand(x - 20))).toBe(1103)
    expect(await wrong(x => JSON.stringify({ x, track: [] }))).toBe(1103)
    expect(
      await wrong(x =>
        JSON.stringify({
          x,
          track: [
            [0, 0, 0],
            [900, x, 0],
          ],
        }),
      ),
    ).toBe(1103)
    const even = (x: number) => Array.from({ length: 21 }, (_, n) => [n * 20, (x / 20) * n, 0])
    expect(await wrong(x => JSON.stringify({ x, track: even(x) }))).toBe(1103)
    expect(await wrong(x => JSON.stringify({ x, track: [[0, 0, 0], 'x'] }))).toBe(1103)
    expect(await wrong(x => String(x + 40))).toBe(1103)
    expect(await wrong(x => String(x))).toBe(0)
  })
})

describe('sending a code', () => {
  it('asks for the phone in the words of the sign-in page', async () => {
    expect((await loginCode('')).msg).toBe('请填写手机号')
    for (const phone of ['1390000', '139000020001', '1390000200a'])
      expect((await loginCode(phone)).msg).toBe('请填写11位数的手机号')
  })

  it('answers known and unknown phones alike, and writes a six-digit code to the outbox', async () => {
    const [known] = await server.database.owner<{ phone: string }[]>`select phone from app_user where login = 'nurse'`
    const replies = [await loginCode(known?.phone ?? ''), await loginCode('13900002301')]
    expect(replies.map(({ code, msg, info }) => ({ code, msg, info }))).toEqual([
      { code: 0, msg: sentence },
      { code: 0, msg: sentence },
    ])
    expect(outboxOf(server, 'sms').at(-1)).toMatchObject({
      phone: '13900002301',
      template: 'login',
      code: expect.stringMatching(/^\d{6}$/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
  })

  it('is refused within 60 seconds, whichever form asks', async () => {
    const phone = '13900002302'
    expect((await loginCode(phone)).code).toBe(0)
    const soon = expect.stringMatching(/^验证码发送过于频繁，请([1-9]|[1-5]\d|60)秒后再试$/)
    expect((await loginCode(phone)).msg).toEqual(soon)
    const { id, answer } = await solved(server)
    expect((await server.outsider.post('/v1/sendMsg', { phone, tempID: '', id, captchaResult: answer })).msg).toEqual(
      soon,
    )
    expect((await server.outsider.post('/v1/register/sendMsg', { phone, ...(await solved(server)) })).msg).toEqual(soon)
    const image = await solved(server)
    const reset = await ask(`/v1/user/retrieve_pwd/code/${phone}`, { imageId: image.id, imageAnswer: image.answer })
    expect(reset).toMatchObject({ msg: soon, Msg: soon, code: 1113, Code: 1113 })
    await minuteLater(server)
    expect((await loginCode(phone)).code).toBe(0)
  })

  it('is limited to ten a day per phone and three hundred an hour per address', async () => {
    const phone = '13900002303'
    for (let count = 0; count < 10; count++) {
      expect((await loginCode(phone)).code).toBe(0)
      await minuteLater(server)
    }
    expect(await loginCode(phone)).toMatchObject({ status: 200, code: 1114 })
    await loginCode('13900002304', undefined, '10.1.9.9')
    await server.database
      .owner`update allowance set used = 300 where used = 1 and ends_at < now() + interval '61 minutes'
        and ends_at > now() + interval '59 minutes'`
    const flood = await loginCode('13900002305', undefined, '10.1.9.9')
    expect([flood.status, flood.code]).toEqual([429, 1090])
    expect(parseInteger(flood.headers['retry-after'])).toBeGreaterThan(3000)
  })
})

describe('signing in with a code', () => {
  const login = (UserName: string, VerifyCode: string) =>
    server.outsider.raw({ method: 'POST', url: '/v1/loginByVerifyCode', payload: { UserName, VerifyCode } })
  const phoneOf = async (who: string) =>
    (await server.database.owner<{ phone: string }[]>`select phone from app_user where login = ${who}`)[0]?.phone ?? ''
  const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000')

  it('asks in the words of section 5', async () => {
    const said = async (phone: string, code: string) => (await login(phone, code)).json().msg
    expect(await said('', '123456')).toBe('请填写手机号')
    expect(await said('123', '123456')).toBe('请填写11位数的手机号')
    expect(await said('13900002401', '')).toBe('请填写短信验证码')
    expect(await said('13900002401', '12a')).toBe('请填写由数字组成的短信验证码')
  })

  it('returns the login result and the cookie, once', async () => {
    const phone = await phoneOf('keeper')
    await loginCode(phone)
    const code = lastCode(server, phone)
    const reply = await login(phone, code)
    expect(reply.json()).toMatchObject({ code: 0, info: { user_info: { user_name: 'keeper' } } })
    expect(reply.cookies[0]).toMatchObject({ name: 'sid', httpOnly: true })
    expect((await login(phone, code)).json()).toMatchObject({ code: 1112, msg: '短信验证码已失效，请重新获取' })
  })

  it('allows five wrong tries and no sixth', async () => {
    const phone = await phoneOf('buyer')
    await loginCode(phone)
    const code = lastCode(server, phone)
    for (let count = 0; count < 5; count++) expect((await login(phone, wrongFor(code))).json().code).toBe(1111)
    expect((await login(phone, code)).json().code).toBe(0)
    await minuteLater(server)
    await loginCode(phone)
    const next = lastCode(server, phone)
    for (let count = 0; count < 6; count++) await login(phone, wrongFor(next))
    expect((await login(phone, next)).json().code).toBe(1112)
  })

  it('expires after five minutes', async () => {
    const phone = await phoneOf('finance')
    await loginCode(phone)
    await server.database.owner`update sms_code set expires_at = expires_at - interval '299 seconds'`
    const code = lastCode(server, phone)
    expect((await login(phone, wrongFor(code))).json().code).toBe(1111)
    await server.database.owner`update sms_code set expires_at = expires_at - interval '2 seconds'`
    expect((await login(phone, code)).json().code).toBe(1112)
  })

  it('advises a phone without an account; a code sent for another purpose is not accepted', async () => {
    await loginCode('13900002402')
    expect((await login('13900002402', lastCode(server, '13900002402'))).json()).toMatchObject({
      code: 1006,
      msg: '该手机号没有对应的账号，请先注册',
    })
    const phone = await phoneOf('hospital')
    const image = await solved(server)
    await ask(`/v1/user/retrieve_pwd/code/${phone}`, { imageId: image.id, imageAnswer: image.answer })
    expect((await login(phone, lastCode(server, phone))).json().code).toBe(1112)
  })
})

describe('the forgotten password', () => {
  const verify = (Name: string, VerifyCode: string) =>
    server.outsider.post('/v1/user/retrieve_pwd/verify_code', { Name, VerifyCode })
  const change = (Name: string, VerifyCode: string, Password: string) =>
    server.outsider.post('/v1/user/retrieve_pwd/change_password', { Name, VerifyCode, Password })

  it('asks in the words of section 5, in Code and Msg as in code and msg', async () => {
    expect(await verify('', '123456')).toMatchObject({
      code: 2000,
      Code: 2000,
      msg: '请输入手机号码',
      Msg: '请输入手机号码',
    })
    expect((await verify('139000025001', '123456')).msg).toBe('手机号码有效长度是11位')
    expect((await verify('23900002500', '123456')).msg).toBe('手机号码格式输入有误')
    expect((await verify('13900002500', '')).msg).toBe('请输入验证码')
    expect((await verify('13900002500', '12345')).msg).toBe('请输入6位数字验证码')
    expect((await change('13900002500', '123456', '')).msg).toBe('密码不能为空')
  })

  it('is replaced in two steps, with one code; every session ends and the lock is released', async () => {
    const [row] = await server.database.owner<{ phone: string }[]>`select phone from app_user where login = 'vendor2'`
    const phone = row?.phone ?? ''
    const before = await server.as('vendor2', 'Spd@2026')
    const image = await solved(server)
    expect(
      await ask(`/v1/user/retrieve_pwd/code/${phone}`, { imageId: image.id, imageAnswer: image.answer }),
    ).toMatchObject({ code: 0, Code: 0, msg: sentence, Msg: sentence })
    const code = lastCode(server, phone)
    expect((await verify(phone, code === '000000' ? '111111' : '000000')).code).toBe(1111)
    expect(await verify(phone, code)).toMatchObject({ code: 0, Code: 0 })
    for (let count = 0; count < 5; count++)
      await server.outsider.post('/v1/login', { userName: 'vendor2', password: md5('wrong') })
    expect(await change(phone, code, md5('Fresh@2026'))).toMatchObject({ code: 0, Msg: '修改成功，请重新登陆。' })
    expect((await before.get('/v1/user/user_info')).status).toBe(401)
    expect((await server.as('vendor2', 'Fresh@2026')).get).toBeTypeOf('function')
    expect((await change(phone, code, md5('Again@2026'))).code).toBe(1112)
  })
})

describe('divisions', () => {
  const list = async (level: string, sn?: string) =>
    (await ask(`/v1/division/${level}`, sn ? { administrative_division_sn: sn } : {})).list as {
      administrative_division_sn: string
      name: string
      is_leaf: boolean
      parent_administrative_division_sn: string
    }[]

  it('are the 34 provinces, their cities and counties, one level at a time', async () => {
    const provinces = await list('province')
    expect(provinces.length).toBe(34)
    expect(provinces.filter(row => row.is_leaf).map(row => row.name)).toEqual([
      '台湾省',
      '香港特别行政区',
      '澳门特别行政区',
    ])
    expect(await list('city', '320000')).toContainEqual({
      administrative_division_sn: '320500',
      name: '苏州市',
      is_leaf: false,
      parent_administrative_division_sn: '320000',
    })
    expect(await list('county', '320500')).toContainEqual({
      administrative_division_sn: '320506',
      name: '吴中区',
      is_leaf: true,
      parent_administrative_division_sn: '320500',
    })
    expect((await list('city', '310000')).map(row => row.name)).toContain('上海市')
    expect((await list('city', '440000')).find(row => row.name === '东莞市')?.is_leaf).toBe(true)
    expect((await list('county', '653200')).map(row => row.name)).toEqual(expect.arrayContaining(['和安县', '和康县']))
  })

  it('return no children for a leaf, and ask for what is missing', async () => {
    expect(await list('city', '810000')).toEqual([])
    expect(await list('county', 'nonsense')).toEqual([])
    expect(await ask('/v1/division/city')).toMatchObject({ code: 2000, msg: '请先选择省份' })
  })

  it('add up to the whole country', async () => {
    let [cities, counties] = [0, 0]
    for (const province of await list('province'))
      for (const city of await list('city', province.administrative_division_sn)) {
        cities++
        const below = await list('county', city.administrative_division_sn)
        expect(city.is_leaf).toBe(below.length === 0)
        counties += below.length
      }
    expect([cities, counties]).toEqual([342, 2849])
  })
})

describe('the link of a label, scanned by a user who is not signed in', () => {
  const goods = (link: string, address?: string) => ask('/v1/public/goods', { link }, address)

  it("shows product, certificate and the link's own lot data; no stock, price, owner or patient", async () => {
    const [size] = await server.database.owner<{ di: string; id: string; product: string }[]>`
      select s.id, s.udi_di as di, p.id as product from specification s join product p on p.id = s.product_id
       where s.udi_di ~ '^\\d{14}$' and s.status = 'released' and p.status = 'released'
         and s.registration_certificate_id is not null limit 1`
    const { code, info } = await goods(`/01/${size!.di}/10/LOT%2F1/21/S1?17=281231`)
    expect(code).toBe(0)
    expect(Object.keys(info).sort()).toEqual([
      'di',
      'expired',
      'expiry_date',
      'lot_no',
      'product_name',
      'registration_no',
      'signed_in',
      'specification_name',
    ])
    expect(info).toMatchObject({ lot_no: 'LOT/1', expiry_date: '2028-12-31', expired: false, signed_in: false })
    expect(info.registration_no).toMatch(/\S/)
    expect((await goods(`/01/${size!.di}`)).info).toMatchObject({ lot_no: null, expiry_date: null })
    expect((await goods(`/01/${size!.di}?17=200101`)).info.expired).toBe(true)
    const { info: known } = await (await server.as('nurse')).get('/v1/public/goods', { link: `/01/${size!.di}` })
    expect(known.signed_in).toBe(true)
    // Unreleased products are not shown.
    await server.database.owner`update product set status = 'withdrawn' where id = ${size!.product}`
    expect(await goods(`/01/${size!.di}/10/LOT`)).toMatchObject({
      code: 2106,
      msg: `没有查到产品标识${size!.di}对应的产品，请核对包装上的产品标识`,
    })
    await server.database.owner`update product set status = 'released' where id = ${size!.product}`
  })

  it('shows a sentence where there is nothing to read, and is not read at length', async () => {
    const hostile = [
      '',
      '/01',
      '/01/1',
      '/01/%zz',
      "/01/' or 1=1--",
      '@evil.cn/01/06901234567892',
      `/01/${'9'.repeat(600)}`,
    ]
    for (const link of [...hostile, '//evil.cn/x', '/01/06901234567893', '/02/06901234567892', '\u0000<script>'])
      expect((await goods(link, '10.9.0.1')).msg).toMatch(
        /^(这个链接里没有可以识别的产品标识|没有查到产品标识|不能输入特殊字符)/,
      )
    const replies = await Promise.all(Array.from({ length: 121 }, () => goods('/01', '10.9.0.2')))
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await goods('/01', '10.9.0.3')).status).toBe(200)
  })
})
