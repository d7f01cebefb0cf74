import { withoutEnd } from '#kernel/values/trimmed.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ObjectStoreAddress } from '#server/files/object-store.ts'
import { type HisAddress, type HisAddresses, nameInEnvironment } from '#server/outbound/his/connected.ts'
import { BAIWANG_URL, type EInvoiceAddresses } from '#server/outbound/einvoice/open.ts'
import type { AliyunSms } from '#server/identity/sms/aliyun.ts'

/** Why the program does not start, in a sentence that its operator can act on. */
export class StartupError extends Error {
  override name = 'StartupError'
}

/** The embedded cluster: a Unix socket that only the machine's owner can open. */
export interface SocketDatabase {
  folder: string
  user: string
  password: string
  database: string
}

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const

export interface Config {
  port: number
  /** PORT was set: a busy one is refused instead of trying the next. */
  portIsFixed: boolean
  host: string
  /** Proxies trusted for the caller's address and protocol: 'loopback', addresses or networks, comma-separated. */
  trustedProxy: string
  /**
   * The address under which phones reach the installation, used in links on labels; null: the address of the label
   * request.
   */
  publicUrl: string | null
  production: boolean
  /** Minimum log level; `info` logs every reply. */
  logLevel: (typeof LOG_LEVELS)[number]
  /** Absolute. Outbox and files are always under it. */
  dataDir: string
  /** The built web app. */
  webDir: string
  /** Exactly one of the two is set while the program runs. */
  databaseUrl: string | null
  socket: SocketDatabase | null
  /** True if an empty database is filled with the demo; the database remembers this afterwards. */
  demo: boolean
  /** The outbox writes messages to a file; Aliyun sends them. */
  sms: { readonly provider: 'outbox' } | AliyunSms
  /** An OpenAI-compatible service; null: the built-in retrieval answers. */
  llm: { baseUrl: string; apiKey: string; model: string } | null
  /** Null: files are stored in a subfolder of the data folder. */
  fileStore: ObjectStoreAddress | null
  /** The HIS of hospitals, each with its dialect and token. */
  his: HisAddresses
  /** Ports on which hospitals send HL7 v2 over MLLP, by their codes as the environment writes them. */
  hl7: { readonly host: string; readonly ports: ReadonlyMap<string, number> }
  /** The service that is asked where parcels are; null: users record it by hand. */
  waybills: { baseUrl: string; token: string } | null
  /** The laboratory's system, which counts the tests done on bottles of reagents. */
  lis: { baseUrl: string; token: string } | null
  /** The list of the regulator's packages of device identifiers; null: they are uploaded by hand. */
  udiFeed: string | null
  /** The addresses of the providers of electronic invoices; each organisation has its own account there. */
  einvoice: EInvoiceAddresses
  /** Connections of this process for calls, for reports, and for exports. */
  poolSize: number
  reportPoolSize: number
  exportPoolSize: number
  /** Maximum concurrent calls, and reports with exports, in this process before callers are asked to retry. */
  mostCalls: number
  mostReports: number
  /** Maximum changes of one person in a minute. */
  mostChanges: number
  /** Exports with at least this many rows run in the background. */
  exportLongRows: number
  /** Tests only: captcha answers are written to a file. */
  captchaOutbox: boolean
  /** The key from which device secrets are derived; null: it is kept in a file of the data folder. */
  deviceKey: string | null
}

/** Reports share what posting leaves free: with as many of them as cores, posting would wait four times as long. */
const SPARE_CORES = Math.min(4, Math.max(1, os.availableParallelism() - 1))

type Environment = Readonly<Record<string, string | undefined>>

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** Reads all environment variables of the program; a wrong value stops the start with a message. */
export function readConfig(env: Environment = process.env): Config {
  const databaseUrl = readDatabaseUrl(env)
  const production = env.NODE_ENV === 'production'
  return {
    port: readPort(env),
    portIsFixed: Boolean(env.PORT),
    host: env.HOST || '127.0.0.1',
    trustedProxy: env.TRUSTED_PROXY || 'loopback',
    publicUrl: env.PUBLIC_URL ? readAddress(env, 'PUBLIC_URL') : null,
    production,
    logLevel: readLogLevel(env),
    dataDir: path.resolve(ROOT, env.DATA_DIR || 'data'),
    webDir: path.join(ROOT, 'web', 'dist'),
    databaseUrl,
    socket: null,
    demo: readSwitch(env, 'DEMO', databaseUrl === null),
    sms: readSms(env),
    llm: readLlm(env),
    fileStore: readFileStore(env),
    his: readHis(env),
    hl7: { host: env.HL7_HOST || '127.0.0.1', ports: readHl7Ports(env) },
    waybills: env.WAYBILL_BASE_URL
      ? { baseUrl: readAddress(env, 'WAYBILL_BASE_URL'), token: env.WAYBILL_TOKEN ?? '' }
      : null,
    lis: env.LIS_BASE_URL ? { baseUrl: readAddress(env, 'LIS_BASE_URL'), token: env.LIS_TOKEN ?? '' } : null,
    udiFeed: env.UDI_FEED_URL ? readAddress(env, 'UDI_FEED_URL') : null,
    einvoice: readEInvoice(env),
    poolSize: readCount(env, 'DB_POOL', 10),
    reportPoolSize: readCount(env, 'DB_POOL_REPORTS', SPARE_CORES),
    exportPoolSize: readCount(env, 'DB_POOL_EXPORTS', 2),
    mostCalls: readCount(env, 'MAX_CALLS', 500),
    mostReports: readCount(env, 'MAX_REPORTS', 60),
    mostChanges: readCount(env, 'MAX_CHANGES', 1200),
    exportLongRows: readCount(env, 'EXPORT_LONG_ROWS', 5000),
    captchaOutbox: readCaptchaOutbox(env, production),
    deviceKey: readDeviceKey(env),
  }
}

function readPort(env: Environment): number {
  if (!env.PORT) return 8080
  const port = parseInteger(env.PORT)
  if (/^\d+$/.test(env.PORT) && port <= 65535) return port
  throw new StartupError(`PORT 应为 0 到 65535 的整数，现在是“${env.PORT}”。请改正后重新启动。`)
}

function readDatabaseUrl(env: Environment): string | null {
  if (!env.DATABASE_URL) return null
  const url = URL.canParse(env.DATABASE_URL) ? new URL(env.DATABASE_URL) : null
  if (url && ['postgres:', 'postgresql:'].includes(url.protocol)) return env.DATABASE_URL
  throw new StartupError('DATABASE_URL 应形如 postgres://用户:密码@主机:5432/数据库，请改正后重新启动。')
}

function readLogLevel(env: Environment): Config['logLevel'] {
  const value = env.LOG_LEVEL || 'warn'
  const level = LOG_LEVELS.find(each => each === value)
  if (level) return level
  throw new StartupError(`LOG_LEVEL 应为 ${LOG_LEVELS.join('、')} 之一，现在是“${value}”。请改正后重新启动。`)
}

function readCount(env: Environment, name: string, preset: number): number {
  const value = env[name]
  if (!value) return preset
  if (/^[1-9]\d{0,4}$/.test(value)) return parseInteger(value)
  throw new StartupError(`${name} 应为 1 到 99999 的整数，现在是“${value}”。请改正后重新启动。`)
}

function readSwitch(env: Environment, name: string, preset: boolean): boolean {
  const value = env[name]
  if (!value) return preset
  if (value === '1') return true
  if (value === '0') return false
  throw new StartupError(`${name} 应为 1（开）或 0（关），现在是“${value}”。请改正后重新启动。`)
}

function readProvider(env: Environment, name: string, preset: string): string {
  const value = env[name]
  return !value || value === preset ? preset : readAddress(env, name, `“${preset}”或`)
}

function readAddress(env: Environment, name: string, alternative = ''): string {
  const value = env[name] ?? ''
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && ['http:', 'https:'].includes(url.protocol)) return withoutEnd(value, character => character === '/')
  throw new StartupError(`${name} 应为${alternative} http(s):// 开头的地址，现在是“${value}”。请改正后重新启动。`)
}

/** A bucket shared with other processes, with its credentials. */
function readFileStore(env: Environment): ObjectStoreAddress | null {
  const address = readProvider(env, 'FILE_STORE', 'disk')
  if (address === 'disk') return null
  const need = (name: string): string => {
    const value = env[name]
    if (value) return value
    throw new StartupError(`FILE_STORE 为对象存储时还需要 ${name}。请设置后重新启动。`)
  }
  return {
    address,
    region: env.FILE_STORE_REGION || 'us-east-1',
    keyId: need('FILE_STORE_KEY_ID'),
    secret: need('FILE_STORE_SECRET'),
  }
}

/** Aliyun's settings; each missing one is named. One template may serve all purposes. */
function readSms(env: Environment): Config['sms'] {
  const provider = env.SMS_PROVIDER || 'outbox'
  if (provider === 'outbox') return { provider }
  if (provider !== 'aliyun')
    throw new StartupError(`SMS_PROVIDER 应为 outbox 或 aliyun，现在是“${provider}”。请改正后重新启动。`)
  const need = (name: string): string => {
    const value = env[name]
    if (value) return value
    throw new StartupError(`SMS_PROVIDER=aliyun 还需要 ${name}。请设置后重新启动。`)
  }
  const template = (name: string) => env[`ALIYUN_SMS_TEMPLATE_${name}`] || need('ALIYUN_SMS_TEMPLATE')
  return {
    provider,
    endpoint: readAddress({ ALIYUN_SMS_ENDPOINT: 'https://dysmsapi.aliyuncs.com', ...env }, 'ALIYUN_SMS_ENDPOINT'),
    accessKeyId: need('ALIYUN_ACCESS_KEY_ID'),
    accessKeySecret: need('ALIYUN_ACCESS_KEY_SECRET'),
    signName: need('ALIYUN_SMS_SIGN_NAME'),
    templates: {
      login: template('LOGIN'),
      register: template('REGISTER'),
      retrieve_pwd: template('RETRIEVE_PWD'),
      change_pwd: template('CHANGE_PWD'),
      general: template('GENERAL'),
      FIRST_PASSWORD: env.ALIYUN_SMS_TEMPLATE_FIRST_PASSWORD || null,
      announcement: env.ALIYUN_SMS_TEMPLATE_ANNOUNCEMENT || null,
      licence_expiry: env.ALIYUN_SMS_TEMPLATE_LICENCE_EXPIRY || null,
    },
  }
}

function readLlm(env: Environment): Config['llm'] {
  if (!env.LLM_BASE_URL) return null
  return { baseUrl: readAddress(env, 'LLM_BASE_URL'), apiKey: env.LLM_API_KEY ?? '', model: env.LLM_MODEL ?? '' }
}

/**
 * HIS_BASE_URL, HIS_TOKEN and HIS_ADAPTER are those of one hospital: of HIS_ORG, else of the only one there is. With
 * its code between (HIS_H01_BASE_URL) they are those of that hospital.
 */
function readHis(env: Environment): HisAddresses {
  const byOrganisation = new Map<string, HisAddress>()
  for (const name of Object.keys(env)) {
    const code = /^HIS_(.+)_BASE_URL$/.exec(name)?.[1]
    if (code !== undefined && env[name]) byOrganisation.set(code, readHisAddress(env, `HIS_${code}`))
  }
  const one = env.HIS_BASE_URL ? readHisAddress(env, 'HIS') : null
  if (one === null || !env.HIS_ORG) return { byOrganisation, ofOnlyHospital: one }
  byOrganisation.set(nameInEnvironment(env.HIS_ORG), one)
  return { byOrganisation, ofOnlyHospital: null }
}

/** 百望's open platform, and the stand-in where one runs; the keys of organisations are not here. */
function readEInvoice(env: Environment): EInvoiceAddresses {
  const url = env.EINVOICE_STANDIN_URL ? readAddress(env, 'EINVOICE_STANDIN_URL') : null
  return {
    baiwang: {
      url: env.BAIWANG_URL ? readAddress(env, 'BAIWANG_URL') : BAIWANG_URL,
      quotaMethod: env.BAIWANG_QUOTA_METHOD || null,
    },
    standIn:
      url === null
        ? null
        : { url, appKey: env.EINVOICE_APP_KEY || 'standin', appSecret: env.EINVOICE_APP_SECRET || 'standin' },
  }
}

/** HL7_PORT is that of HL7_ORG; HL7_H01_PORT that of a hospital by its code. */
function readHl7Ports(env: Environment): ReadonlyMap<string, number> {
  const ports = new Map<string, number>()
  const named = Object.keys(env).flatMap(name => /^HL7_(.+)_PORT$/.exec(name)?.[1] ?? [])
  for (const code of named) if (env[`HL7_${code}_PORT`]) ports.set(code, readCount(env, `HL7_${code}_PORT`, 0))
  if (!env.HL7_PORT) return ports
  if (!env.HL7_ORG) throw new StartupError('HL7_PORT 还需要 HL7_ORG（医院的机构编码）。请设置后重新启动。')
  return ports.set(nameInEnvironment(env.HL7_ORG), readCount(env, 'HL7_PORT', 0))
}

function readHisAddress(env: Environment, stem: string): HisAddress {
  const adapter = env[`${stem}_ADAPTER`] || 'json'
  if (adapter !== 'json' && adapter !== 'fhir')
    throw new StartupError(`${stem}_ADAPTER 应为 json 或 fhir，现在是“${adapter}”。请改正后重新启动。`)
  return { adapter, baseUrl: readAddress(env, `${stem}_BASE_URL`), token: env[`${stem}_TOKEN`] ?? '' }
}

const SHORTEST_KEY = 32

function readDeviceKey(env: Environment): string | null {
  const value = env.DEVICE_KEY
  if (!value) return null
  if (value.length >= SHORTEST_KEY) return value
  throw new StartupError(`DEVICE_KEY 至少${SHORTEST_KEY}个字符。请改正后重新启动。`)
}

function readCaptchaOutbox(env: Environment, production: boolean): boolean {
  const wanted = readSwitch(env, 'CAPTCHA_OUTBOX', false)
  if (!wanted || !production) return wanted
  throw new StartupError('CAPTCHA_OUTBOX 只供测试，生产环境（NODE_ENV=production）不允许。请去掉该变量后重新启动。')
}
