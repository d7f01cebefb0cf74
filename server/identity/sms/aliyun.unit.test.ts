import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { AliyunRefused, type AliyunSms, aliyunSender, authorizationOf, queryTextOf, sendSmsCall } from './aliyun.ts'

const config: AliyunSms = {
  provider: 'aliyun',
  endpoint: 'https://dysmsapi.aliyuncs.com',
  accessKeyId: 'testid',
  accessKeySecret: 'testsecret',
  signName: '链桥平台',
  templates: {
    login: 'SMS_1',
    register: 'SMS_2',
    retrieve_pwd: 'SMS_3',
    change_pwd: 'SMS_6',
    general: 'SMS_4',
    FIRST_PASSWORD: 'SMS_5',
    announcement: null,
    licence_expiry: null,
  },
}
const sms = { phone: '13900000001', template: 'login', code: '042617' } as const

/** The service's answers, as recorded in its documentation. */
const taken = {
  Code: 'OK',
  Message: 'OK',
  RequestId: 'F655A8D5-B967-440B-8683-DAD6FF8DE990',
  BizId: '900619746936498440^0',
}
const limited = {
  Code: 'isv.BUSINESS_LIMIT_CONTROL',
  Message: '触发小时级流控Permits:5',
  RequestId: '8906582E-6722-4A2C-9C1B-0E0B0E0B0E0B',
}

describe('the signature of version 3', () => {
  it('matches the example in Aliyun’s own documentation', () => {
    const authorization = authorizationOf(
      {
        method: 'POST',
        host: 'ecs.cn-shanghai.aliyuncs.com',
        query: { ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd', RegionId: 'cn-shanghai' },
        headers: {
          host: 'ecs.cn-shanghai.aliyuncs.com',
          'x-acs-action': 'RunInstances',
          'x-acs-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
          'x-acs-date': '2023-10-26T10:22:32Z',
          'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
          'x-acs-version': '2014-05-26',
        },
      },
      { id: 'YourAccessKeyId', secret: 'YourAccessKeySecret' },
    )
    expect(authorization).toBe(
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;' +
        'x-acs-date;x-acs-signature-nonce;x-acs-version,' +
        'Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
    )
  })

  it('encodes characters that a URL would leave alone', () => {
    expect(queryTextOf({ b: "it's (a) *", a: '链桥 {}' })).toBe(
      'a=%E9%93%BE%E6%A1%A5%20%7B%7D&b=it%27s%20%28a%29%20%2A',
    )
  })
})

it('the call names action, phone, signature, template and code', () => {
  const { url, headers } = sendSmsCall(config, sms, { at: new Date('2026-11-20T08:00:00.123Z'), nonce: 'n1' })
  const { searchParams, host, pathname } = new URL(url)
  expect([host, pathname]).toEqual(['dysmsapi.aliyuncs.com', '/'])
  expect(Object.fromEntries(searchParams)).toEqual({
    PhoneNumbers: '13900000001',
    SignName: '链桥平台',
    TemplateCode: 'SMS_1',
    TemplateParam: '{"code":"042617"}',
  })
  expect(headers).toMatchObject({
    'x-acs-action': 'SendSms',
    'x-acs-version': '2017-05-25',
    'x-acs-date': '2026-11-20T08:00:00Z',
    authorization: expect.stringMatching(
      /^ACS3-HMAC-SHA256 Credential=testid,SignedHeaders=host;x-acs-action;.*Signature=[0-9a-f]{64}$/,
    ),
  })
})

describe('the exchange', () => {
  /** Simulates the service over HTTP: checks that the signature matches the request, returns the recorded answer. */
  async function against(answer: object, status = 200): Promise<{ sent: Promise<void>; asked: () => URL | null }> {
    let asked: URL | null = null
    const service = createServer((request, response) => {
      asked = new URL(request.url ?? '/', `http://${request.headers.host}`)
      const signed = [
        'host',
        'x-acs-action',
        'x-acs-content-sha256',
        'x-acs-date',
        'x-acs-signature-nonce',
        'x-acs-version',
      ]
      const headers = Object.fromEntries(signed.map(name => [name, String(request.headers[name])]))
      const fits =
        request.headers.authorization ===
        authorizationOf(
          { method: 'POST', host: headers.host ?? '', query: Object.fromEntries(asked.searchParams), headers },
          { id: config.accessKeyId, secret: config.accessKeySecret },
        )
      response.writeHead(fits ? status : 400, { 'content-type': 'application/json' })
      response.end(JSON.stringify(fits ? answer : { Code: 'SignatureDoesNotMatch', Message: 'signature' }))
    })
    await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    const sent = aliyunSender({ ...config, endpoint })(sms).finally(() => service.close())
    return { sent, asked: () => asked }
  }

  it('succeeds with Code OK', async () => {
    const { sent, asked } = await against(taken)
    await expect(sent).resolves.toBeUndefined()
    expect(asked()?.searchParams.get('TemplateParam')).toBe('{"code":"042617"}')
  })

  it.each([
    ['a limit of the service', limited, 200],
    ['a reply without a code', {}, 502],
  ])('is refused by %s', async (_what, answer, status) => {
    const { sent } = await against(answer, status)
    await expect(sent).rejects.toBeInstanceOf(AliyunRefused)
  })
})
