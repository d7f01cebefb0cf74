import * as fs from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import { type Config, readConfig } from '../../server/config.ts'
import { appRoleOf } from '../../server/plugins/app-role.ts'
import { at, cloneDatabase, demoTemplate, dropDatabase, type SeedDemo } from './template.ts'

export interface FreshDatabase {
  /** Ready for serve() and openDatabase(): any free port, a data folder of its own, captchas and messages in its outbox. */
  config: Config
  /** Close what you opened on it first. */
  drop(): Promise<void>
}

interface Wish {
  /** With the demo's organisations, goods and papers; otherwise migrated and empty. */
  demo?: boolean
  /** Variables of the environment to serve with. */
  env?: Record<string, string>
}

let count = 0

/** A database for this test file alone, copied from a template in a moment. */
export async function freshDatabase({ demo = false, env = {} }: Wish = {}): Promise<FreshDatabase> {
  const { maintenance, template, folder } = inject('cluster')
  const source = demo ? await demoTemplate(maintenance, template, await findSeed()) : template
  count += 1
  const name = `${template}_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${Date.now().toString(36)}_${count}`
  await cloneDatabase(maintenance, source, name, appRoleOf(template))
  const dataDir = fs.mkdtempSync(path.join(folder, 'files-'))
  const settings = readConfig({ PORT: '0', CAPTCHA_OUTBOX: '1', DEMO: demo ? '1' : '0', DATA_DIR: dataDir, ...env })
  return {
    config: { ...settings, ...at(maintenance, name) },
    drop: async () => {
      await dropDatabase(maintenance, name)
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function findSeed(): Promise<SeedDemo> {
  const seed = path.resolve(import.meta.dirname, '../../server/demo/seed.ts')
  const { seedDemo } = await import(/* @vite-ignore */ seed)
  return seedDemo
}
