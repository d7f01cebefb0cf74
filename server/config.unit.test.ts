import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('SMS_PROVIDER', () => {
  const aliyun = {
    SMS_PROVIDER: 'aliyun',
    ALIYUN_ACCESS_KEY_ID: 'id',
    ALIYUN_ACCESS_KEY_SECRET: 'secret',
    ALIYUN_SMS_SIGN_NAME: '平台',
    ALIYUN_SMS_TEMPLATE: 'SMS_0',
  }

  it('is the outbox by default', () => {
    expect(readConfig({}).sms).toEqual({ provider: 'outbox' })
    expect(readConfig({ SMS_PROVIDER: 'outbox' }).sms).toEqual({ provider: 'outbox' })
    expect(() => readConfig({ SMS_PROVIDER: 'pigeon' })).toThrow('SMS_PROVIDER 应为 outbox 或 aliyun，现在是“pigeon”')
  })

  it('aliyun accepts one template for all, or one for each purpose', () => {
    expect(readConfig(aliyun).sms).toMatchObject({
      provider: 'aliyun',
      endpoint: 'https://dysmsapi.aliyuncs.com',
      templates: { login: 'SMS_0', register: 'SMS_0', retrieve_pwd: 'SMS_0', general: 'SMS_0' },
    })
    expect(readConfig({ ...aliyun, ALIYUN_SMS_TEMPLATE_LOGIN: 'SMS_1' }).sms).toMatchObject({
      templates: { login: 'SMS_1', general: 'SMS_0' },
    })
  })

  it.each(Object.keys(aliyun).slice(1))('aliyun does not start without %s', name => {
    expect(() => readConfig({ ...aliyun, [name]: '' })).toThrow(`SMS_PROVIDER=aliyun 还需要 ${name}`)
  })
})

describe('FILE_STORE', () => {
  it('is the folder of the installation, or a bucket with its credentials', () => {
    expect(readConfig({}).fileStore).toBeNull()
    const bucket = { FILE_STORE: 'https://s3.example.com/medtrace/', FILE_STORE_KEY_ID: 'id', FILE_STORE_SECRET: 'key' }
    expect(readConfig(bucket).fileStore).toEqual({
      address: 'https://s3.example.com/medtrace',
      region: 'us-east-1',
      keyId: 'id',
      secret: 'key',
    })
    expect(() => readConfig({ ...bucket, FILE_STORE_SECRET: '' })).toThrow('还需要 FILE_STORE_SECRET')
    expect(() => readConfig({ FILE_STORE: 'my-bucket' })).toThrow('FILE_STORE 应为')
  })
})

describe('HIS_…', () => {
  const his = (env: Record<string, string>) => readConfig(env).his
  const address = (baseUrl: string, adapter = 'json', token = '') => ({ adapter, baseUrl, token })

  it('is none by default, and one of the only hospital, or of the one that is named', () => {
    expect(his({})).toEqual({ byOrganisation: new Map(), ofOnlyHospital: null })
    const one = { HIS_BASE_URL: 'http://his.local/', HIS_TOKEN: 'T' }
    expect(his(one)).toEqual({ byOrganisation: new Map(), ofOnlyHospital: address('http://his.local', 'json', 'T') })
    expect(his({ ...one, HIS_ORG: 'h-01', HIS_ADAPTER: 'fhir' })).toEqual({
      byOrganisation: new Map([['H_01', address('http://his.local', 'fhir', 'T')]]),
      ofOnlyHospital: null,
    })
  })

  it('is one for each hospital by its code', () => {
    const env = { HIS_H01_BASE_URL: 'https://a', HIS_H01_TOKEN: 'A', HIS_H02_BASE_URL: 'https://b/fhir' }
    expect(his({ ...env, HIS_H02_ADAPTER: 'fhir' }).byOrganisation).toEqual(
      new Map([
        ['H01', address('https://a', 'json', 'A')],
        ['H02', address('https://b/fhir', 'fhir')],
      ]),
    )
    expect(() => his({ ...env, HIS_H02_ADAPTER: 'soap' })).toThrow('HIS_H02_ADAPTER 应为 json 或 fhir，现在是“soap”')
    expect(() => his({ HIS_H01_BASE_URL: 'his.local' })).toThrow('HIS_H01_BASE_URL 应为')
  })
})
