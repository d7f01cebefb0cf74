import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { OWNER, startPg } from '../../scripts/pg.mjs'
import { usersOf } from '../../scripts/pg-users.mjs'
import { type DatabaseAddress, migrate, openDatabase } from '../../server/plugins/database.ts'
import { at, createDatabase, dropDatabases, sealTemplate } from './template.ts'

/** Where the tests of this run make their databases. */
export interface Cluster {
  /** A database nobody tests on, from which others are created and dropped. */
  maintenance: DatabaseAddress
  /** The migrated database, empty: every name of this run begins with it. */
  template: string
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

const SHARED = Symbol.for('medtrace test cluster')
const shelf = globalThis as { [SHARED]?: SharedCluster }
const FOLDER_PREFIX = 'medtrace-test-'

/** Vitest calls this once for each project; all of them share one cluster. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
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

function openCluster(): SharedCluster {
  const closing: (() => Promise<void> | void)[] = []
  const prepare = async (): Promise<Cluster> => {
    const maintenance = await findServer(closing)
    const template = `mt_test_${process.pid}_${Date.now().toString(36)}`
    closing.push(() => dropDatabases(maintenance, template))
    await createTemplate(maintenance, template)
    return { maintenance, template }
  }
  const close = async () => {
    for (const step of closing.reverse()) await step()
  }
  return { cluster: prepare(), close, projects: 0 }
}

async function findServer(closing: (() => Promise<void> | void)[]): Promise<DatabaseAddress> {
  if (process.env.DATABASE_URL) return { databaseUrl: process.env.DATABASE_URL, socket: null }
  await sweepAbandoned()
  const dataRoot = fs.mkdtempSync(path.join(os.tmpdir(), FOLDER_PREFIX))
  fs.chmodSync(dataRoot, 0o755)
  closing.push(() => fs.rmSync(dataRoot, { recursive: true, force: true }))
  const pg = await startPg({ dataRoot, test: true, log: () => {} })
  closing.push(() => fs.rmSync(pg.sock, { recursive: true, force: true }))
  closing.push(() => pg.stop())
  return { databaseUrl: null, socket: { folder: pg.sock, user: OWNER, password: pg.password, database: 'postgres' } }
}

async function createTemplate(maintenance: DatabaseAddress, template: string): Promise<void> {
  await createDatabase(maintenance, template)
  const database = await openDatabase(at(maintenance, template))
  await migrate(database.owner).finally(() => database.close())
  await sealTemplate(maintenance, template)
}

/** A run that was killed left its cluster behind: take it over, stop it, remove its folder. */
async function sweepAbandoned(): Promise<void> {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const folder = path.join(os.tmpdir(), name)
    const isUsed = () => usersOf(folder).others().length > 0
    if (!name.startsWith(FOLDER_PREFIX) || !fs.existsSync(path.join(folder, 'pgdata', 'postmaster.pid')) || isUsed())
      continue
    const abandoned = await startPg({ dataRoot: folder, test: true, log: () => {} })
    await abandoned.stop()
    if (isUsed()) continue
    fs.rmSync(folder, { recursive: true, force: true })
    fs.rmSync(abandoned.sock, { recursive: true, force: true })
  }
}
