import { createHash } from 'node:crypto'
import type { Definitions } from '#kernel/registry.ts'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { buildApp } from '#app/app.ts'
import type { Masters } from '#demo/masters/masters.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'

/** A response as tests read it. */
export interface Reply {
  status: number
  code: number
  msg: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test knows what it asked for
  info: any
  // oxlint-disable-next-line typescript/no-explicit-any -- a test knows what it asked for
  list: any[]
  total: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a test knows what it asked for
  [more: string]: any
}

export interface Client {
  get(path: string, query?: Record<string, string>): Promise<Reply>
  /** Posts JSON; `headers` in addition to the session's. */
  post(path: string, body?: Record<string, unknown>, headers?: Record<string, string>): Promise<Reply>
  raw(options: InjectOptions): Promise<LightMyRequestResponse>
}

/** The server on its own database with the demo's organisations, users and goods; documents only on request. */
export interface TestServer {
  app: FastifyInstance
  database: Database
  masters: Masters
  /** Folder of its outbox and files. */
  dataDir: string
  /** A client signed in as one of the demo's users. */
  as(login: string, password?: string): Promise<Client>
  outsider: Client
  close(): Promise<void>
}

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/**
 * `demo`: with the year of documents, and without the ids of `masters`. `lag`: simulated event loop delay; by
 * default none in tests. `definitions`: of a program with other kinds; whoever gives them registers the usual ones at
 * the end.
 */
type ServerOptions = {
  readonly demo?: boolean
  readonly lag?: () => number
  readonly definitions?: Definitions
}

export async function openTestServer(
  env: Record<string, string> = {},
  { demo = false, lag = () => 0, definitions }: ServerOptions = {},
): Promise<TestServer> {
  const fresh: FreshDatabase = await freshDatabase({ demo, masters: !demo, env })
  const database = await openDatabase(fresh.config)
  const masters = mastersOf(demo ? {} : fresh.given)
  const app = await buildApp({
    config: fresh.config,
    database,
    logger: false,
    lag,
    ...(definitions ? { definitions } : {}),
  })
  const clients = new Map<string, Client>()
  const signIn = async (login: string, password = 'Spd@2026'): Promise<Client> => {
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/login',
      payload: { userName: login, password: md5(password) },
    })
    if (reply.json().code !== 0) throw new Error(`${login} cannot sign in: ${reply.body}`)
    return clientOf(app, `sid=${reply.cookies.find(cookie => cookie.name === 'sid')?.value}`)
  }
  return {
    app,
    database,
    masters,
    dataDir: fresh.config.dataDir,
    as: async (login, password) => {
      if (password !== undefined) return signIn(login, password)
      const known = clients.get(login) ?? (await signIn(login))
      clients.set(login, known)
      return known
    },
    outsider: clientOf(app, ''),
    close: async () => {
      await app.close()
      await database.close()
      await fresh.drop()
    },
  }
}

/** Ids by code, from when the template was built. */
const mastersOf = (given: unknown): Masters =>
  Object.fromEntries(
    Object.entries(given as Readonly<Record<string, Record<string, string>>>).map(([name, rows]) => [
      name,
      new Map(Object.entries(rows)),
    ]),
  ) as unknown as Masters

function clientOf(app: FastifyInstance, cookie: string): Client {
  const ask = async (options: InjectOptions): Promise<Reply> => {
    const reply = await app.inject({ ...options, headers: { cookie, ...options.headers } })
    return { status: reply.statusCode, ...reply.json() }
  }
  return {
    get: (path, query = {}) => ask({ method: 'GET', url: path, query }),
    post: (path, body = {}, headers = {}) => ask({ method: 'POST', url: path, payload: body, headers }),
    raw: async options => app.inject({ ...options, headers: { cookie, ...options.headers } }),
  }
}
