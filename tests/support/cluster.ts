import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { OWNER, startPg } from '../../scripts/pg.mjs'
import { isAlive, usersOf } from '../../scripts/pg-users.mjs'
import { type DatabaseAddress, openDatabase } from '#server/plugins/database.ts'
import { migrate } from '#app/schema.ts'
import { at, createDatabase, dropDatabases, sealTemplate } from './template.ts'

/** Where the tests of this run create their databases. */
export interface Cluster {
  /** A database not used by tests, for creating and dropping the others. */
  maintenance: DatabaseAddress
  /** The migrated, empty database: all database names of this run start with it. */
  template: string
  /** Files of this run, removed with it. */
  folder: string
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: Cluster
  }
}

interface SharedCluster {
  cluster: Promise<Cluster>
  close(): Promise<void>
  projects: number
}

/** Environment variable that passes the cluster on when one command starts several runs. */
export const GIVEN_CLUSTER = 'TEST_CLUSTER'
const SHARED = Symbol.for('medtrace test cluster')
const shelf = globalThis as { [SHARED]?: SharedCluster }
const FOLDER_PREFIX = 'medtrace-test-'
/** Linux's file system in memory. */
const IN_MEMORY = '/dev/shm'
/** All databases of a run and its log need a quarter of this. */
const ROOM_BYTES = 8 * 1024 ** 3

/** Vitest calls this once per project; all projects share one cluster, also with another vitest running in parallel. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env[GIVEN_CLUSTER]
  if (given) {
    project.provide('cluster', JSON.parse(given) as Cluster)
    return async () => {}
  }
  shelf[SHARED] ??= openCluster()
  const shared = shelf[SHARED]
  shared.projects += 1
  const leave = async () => {
    shared.projects -= 1
    if (shared.projects > 0) return
    delete shelf[SHARED]
    await shared.close()
  }
  try {
    project.provide('cluster', await shared.cluster)
  } catch (error) {
    await leave()
    throw error
  }
  return leave
}

/** Each test file copies a database of a thousand files: in memory that takes half the time, where there is room. */
function placeOfCluster(): string {
  const free = fs.existsSync(IN_MEMORY) ? fs.statfsSync(IN_MEMORY) : { bavail: 0, bsize: 0 }
  const isRoomy = Math.min(free.bavail * free.bsize, os.freemem()) >= ROOM_BYTES
  return isRoomy ? IN_MEMORY : os.tmpdir()
}

type Closing = (() => Promise<void> | void)[]

/** Starts a server, or uses the one of DATABASE_URL, and creates the migrated template database. */
export function openCluster(): SharedCluster {
  const closing: Closing = []
  const prepare = async (): Promise<Cluster> => {
    const folder = await makeFolder(closing)
    const maintenance = await findServer(folder, closing)
    const template = `mt_test_${process.pid}_${Date.now().toString(36)}`
    closing.push(() => dropDatabases(maintenance, template))
    await createTemplate(maintenance, template)
    return { maintenance, template, folder }
  }
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  return { cluster: prepare(), close, projects: 0 }
}

async function makeFolder(closing: Closing): Promise<string> {
  for (const place of [IN_MEMORY, os.tmpdir()]) await sweepAbandoned(place)
  const folder = fs.mkdtempSync(path.join(placeOfCluster(), FOLDER_PREFIX))
  fs.chmodSync(folder, 0o755) // the account PostgreSQL runs as must get in
  closing.push(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function findServer(folder: string, closing: Closing): Promise<DatabaseAddress> {
  if (process.env.DATABASE_URL) return { databaseUrl: process.env.DATABASE_URL, socket: null }
  const pg = await startPg({ dataRoot: folder, test: true, log: () => {} })
  const interrupted = () => abandon(pg.pid, folder, pg.sock)
  process.once('exit', interrupted)
  closing.push(() => fs.rmSync(pg.sock, { recursive: true, force: true }))
  closing.push(() => pg.stop())
  closing.push(() => void process.off('exit', interrupted))
  return { databaseUrl: null, socket: { folder: pg.sock, user: OWNER, password: pg.password, database: 'postgres' } }
}

/** Vitest exits immediately on Ctrl-C: nothing asynchronous would finish. */
function abandon(pid: number, folder: string, sock: string): void {
  if (isAlive(pid)) process.kill(pid, 'SIGQUIT')
  const clock = new Int32Array(new SharedArrayBuffer(4))
  for (let i = 0; i < 40 && fs.existsSync(pidFileIn(folder)); i++) Atomics.wait(clock, 0, 0, 50)
  for (const left of [folder, sock]) fs.rmSync(left, { recursive: true, force: true })
}

const pidFileIn = (folder: string) => path.join(folder, 'pgdata', 'postmaster.pid')

async function createTemplate(maintenance: DatabaseAddress, template: string): Promise<void> {
  await createDatabase(maintenance, template)
  const database = await openDatabase(at(maintenance, template))
  await migrate(database.owner).finally(() => database.close())
  await sealTemplate(maintenance, template)
}

/** Killed runs leave their clusters behind: takes them over, stops them, removes their folders. */
async function sweepAbandoned(place: string): Promise<void> {
  for (const name of fs.existsSync(place) ? fs.readdirSync(place) : []) {
    const folder = path.join(place, name)
    if (!name.startsWith(FOLDER_PREFIX) || !isAbandoned(folder)) continue
    if (fs.existsSync(pidFileIn(folder))) {
      const found = await startPg({ dataRoot: folder, test: true, log: () => {} })
      await found.stop()
      if (!isAbandoned(folder)) continue
      fs.rmSync(found.sock, { recursive: true, force: true })
    }
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** A cluster still being created has no user yet. */
const YOUNG_MS = 120_000

/** It was in use before, and no living process uses it. */
function isAbandoned(folder: string): boolean {
  const made = fs.statSync(folder, { throwIfNoEntry: false })?.birthtimeMs ?? Date.now()
  if (Date.now() - made < YOUNG_MS) return false
  const wasUsed = fs.existsSync(path.join(folder, 'pg.users')) || fs.existsSync(pidFileIn(folder))
  return wasUsed && usersOf(folder).others().length === 0
}
