import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { InjectOptions } from 'fastify'
import { OWNER, startPg } from '../../scripts/pg.mjs'
import { seedMasters } from '#demo/masters/masters.ts'
import { openDatabase } from '#server/plugins/database.ts'
import { migrate } from '#app/schema.ts'
import { type Client, type TestServer, md5, type Reply } from './test-server.ts'
import { startMachine } from './machines.ts'
import { at, createDatabase } from './template.ts'

/** A server in its own process on its own PostgreSQL: both can be killed at any moment and restarted. */
export interface ChildServer extends TestServer {
  /** kill -9 of the server, then a new one on the same database. */
  killServer(): Promise<void>
  /** kill -9 of PostgreSQL with all its processes, then its recovery. */
  killDatabase(): Promise<void>
}

/** No response: the process died during the call. */
const unanswered = { status: 0, code: -1, msg: 'unanswered', info: null, list: [], total: 0 } as const

export async function openChildServer(): Promise<ChildServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'medtrace-crashes-'))
  fs.chmodSync(folder, 0o755)
  // As in production: commits are flushed to disk.
  const boot = () => startPg({ dataRoot: folder, test: false, log: () => {} })
  let pg = await boot()
  const maintenance = {
    databaseUrl: null,
    socket: { folder: pg.sock, user: OWNER, password: pg.password, database: 'postgres' },
  }
  await createDatabase(maintenance, 'medtrace')
  const address = at(maintenance, 'medtrace')
  const database = await openDatabase(address)
  await migrate(database.owner)
  const masters = await seedMasters(database.owner)
  await database.owner`analyze`
  let server = await startMachine(address, folder)
  const client = (cookie: string) => clientOf(() => server.url, cookie)
  const clients = new Map<string, Client>()
  return {
    // oxlint-disable-next-line typescript/no-explicit-any -- there is no application in this process
    app: null as any,
    database,
    masters,
    dataDir: folder,
    outsider: client(''),
    as: async login => {
      const known = clients.get(login) ?? client(await cookieOf(server.url, login))
      clients.set(login, known)
      return known
    },
    killServer: async () => {
      await server.kill()
      server = await startMachine(address, folder)
    },
    killDatabase: async () => {
      process.kill(pg.pid, 'SIGKILL')
      pg = await boot()
    },
    close: async () => {
      await server.kill()
      await database.close()
      await pg.stop()
      fs.rmSync(folder, { recursive: true, force: true })
      fs.rmSync(pg.sock, { recursive: true, force: true })
    },
  }
}

async function cookieOf(url: string, login: string): Promise<string> {
  const reply = await fetch(`${url}/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: login, password: md5('Spd@2026') }),
  })
  return reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

function clientOf(url: () => string, cookie: string): Client {
  const ask = async (address: string, init: RequestInit): Promise<Reply> => {
    try {
      const reply = await fetch(`${url()}${address}`, { ...init, headers: { cookie, ...init.headers } })
      return { ...((await reply.json()) as Reply), status: reply.status }
    } catch {
      return { ...unanswered, list: [] }
    }
  }
  const json = { 'content-type': 'application/json' }
  return {
    get: (address, query = {}) => ask(`${address}?${new URLSearchParams(query)}`, {}),
    post: (address, body = {}, headers = {}) =>
      ask(address, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) }),
    raw: async ({ method = 'GET', url: address = '', headers = {}, payload }: InjectOptions) => {
      const reply = await ask(String(address), {
        method,
        headers: headers as Record<string, string>,
        body: payload as Uint8Array<ArrayBuffer>,
      })
      return { statusCode: reply.status, json: () => reply } as never
    },
  }
}
