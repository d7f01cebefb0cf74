import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { ROOT, sources } from './sources.ts'

const page = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8')
/** The page writes names that begin alike as `…_REST`. */
const isDescribed = (name: string): boolean =>
  page.includes(`\`${name}\``) || [...page.matchAll(/`…(_[A-Z_]+)`/g)].some(([, rest = '']) => name.endsWith(rest))

/** Everything connected: what is off is not asked for its keys. */
const WHOLE = {
  SMS_PROVIDER: 'aliyun',
  ALIYUN_ACCESS_KEY_ID: 'id',
  ALIYUN_ACCESS_KEY_SECRET: 'secret',
  ALIYUN_SMS_SIGN_NAME: '平台',
  ALIYUN_SMS_TEMPLATE: 'SMS_0',
  FILE_STORE: 'https://files.example/bucket',
  FILE_STORE_KEY_ID: 'id',
  FILE_STORE_SECRET: 'secret',
  LLM_BASE_URL: 'https://model.example',
  LIS_BASE_URL: 'https://lis.example',
  WAYBILL_BASE_URL: 'https://carrier.example',
  EINVOICE_STANDIN_URL: 'https://invoices.example',
  HIS_BASE_URL: 'https://his.example',
  HL7_PORT: '2575',
  HL7_ORG: 'H01',
}

test('every variable that the program reads, its secrets among them, is described to its operator', () => {
  const asked = new Set<string>()
  readConfig(
    new Proxy<Record<string, string | undefined>>(WHOLE, {
      get: (given, name: string) => {
        asked.add(name)
        return given[name]
      },
    }),
  )
  expect([...asked]).toEqual(expect.arrayContaining(['FILE_STORE_SECRET', 'HIS_TOKEN', 'LLM_API_KEY', 'DEVICE_KEY']))
  expect([...asked].filter(name => !isDescribed(name))).toEqual([])
})

test('the environment is read by the configuration; file workers are handed what their process needs', () => {
  const reading = sources(/^(app|server|modules|kernel)\/(?!.*\.test\.ts$).*\.ts$/)
    .filter(({ text }) => text.includes('process.env'))
    .map(({ file }) => file)
  expect(reading.filter(file => !file.startsWith('server/file-workers/'))).toEqual(['server/config.ts'])
})
