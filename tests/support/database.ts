import * as fs from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import { type Config, readConfig } from '#server/config.ts'
import { appRoleOf } from '#server/plugins/app-role.ts'
import { at, cloneDatabase, dropDatabase, givenWith, type Seed, seededTemplate } from './template.ts'
import { NO_PACE } from './pace.ts'

export interface FreshDatabase {
  /** Ready for serve() and openDatabase(): any free port, its own data folder, captchas and messages in its outbox. */
  config: Config
  /** What the seed of its template returned: with `masters`, the ids of its rows by code. */
  given: unknown
  /** Close everything you opened on it first. */
  drop(): Promise<void>
}

interface DatabaseOptions {
  /** With the demo's organisations, goods and documents; otherwise migrated and empty. */
  demo?: boolean
  /** With the demo's organisations, users and goods, but no documents. */
  masters?: boolean
  /** Environment variables to serve with. */
  env?: Record<string, string>
}

/** Each connection plans every statement itself: fewer connections waste less time on a fresh database. */
const FEW = { DB_POOL: '2' }

let count = 0

/** A database for this test file only, quickly copied from a template. */
export async function freshDatabase({
  demo = false,
  masters = false,
  env = {},
}: DatabaseOptions = {}): Promise<FreshDatabase> {
  const { maintenance, template, folder } = inject('cluster')
  const seed = demo ? 'demo' : masters ? 'masters' : null
  const source = seed === null ? template : await seededTemplate(maintenance, template, seed, await seeds[seed]())
  count += 1
  const name = `${template}_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${Date.now().toString(36)}_${count}`
  await cloneDatabase(maintenance, source, name, appRoleOf(template))
  const dataDir = fs.mkdtempSync(path.join(folder, 'files-'))
  const settings = readConfig({
    PORT: '0',
    CAPTCHA_OUTBOX: '1',
    MAX_CHANGES: NO_PACE,
    DEMO: demo ? '1' : '0',
    DATA_DIR: dataDir,
    ...FEW,
    ...env,
  })
  return {
    config: { ...settings, ...at(maintenance, name) },
    given: seed === null ? null : await givenWith(maintenance, source),
    drop: async () => {
      await dropDatabase(maintenance, name)
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const seeds: Readonly<Record<'demo' | 'masters', () => Promise<Seed>>> = {
  demo: async () => (await import('#demo/seed.ts')).seedDemo,
  masters: async () => {
    const { seedMasters } = await import('#demo/masters/masters.ts')
    const { seedPermissions } = await import('#server/menu/stored-menu.ts')
    return async ({ owner }) => {
      const loaded = Object.entries(await seedMasters(owner))
      // Every server of the tests would write the same menu at its start.
      await seedPermissions(owner)
      return Object.fromEntries(loaded.map(([name, rows]) => [name, Object.fromEntries(rows)]))
    }
  },
}
