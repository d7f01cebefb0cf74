import { mkdtempSync, rmSync } from 'node:fs'
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { buildApp } from '../app.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { backUp } from './backup.ts'
import { type Manifest, tableFile } from './manifest.ts'
import { restore } from './restore.ts'

let folder: string
let source: FreshDatabase
let database: Database
let manifest: Manifest
const opened: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'medtrace-backup-'))
  source = await freshDatabase({ demo: true })
  opened.push(() => source.drop())
  database = await openDatabase(source.config)
  opened.push(() => database.close())
  await mkdir(path.join(source.config.dataDir, 'files', 'ab'), { recursive: true })
  await writeFile(path.join(source.config.dataDir, 'files', 'ab', 'abc.txt'), '扫描件')
  await writeFile(path.join(source.config.dataDir, 'files', 'ab', 'abd.txt.7.part'), '还在上传')
  manifest = await backUp(database.owner, source.config, path.join(folder, 'whole'))
})
afterAll(async () => {
  for (const close of opened.reverse()) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** A database without a schema, as a new installation has it. */
async function emptyDatabase(): Promise<{ fresh: FreshDatabase; into: Database }> {
  const fresh = await freshDatabase()
  opened.push(() => fresh.drop())
  const into = await openDatabase(fresh.config)
  opened.push(() => into.close())
  await into.owner.unsafe('drop schema public cascade; create schema public')
  return { fresh, into }
}

const whole = () => path.join(folder, 'whole')

story('a backup', step => {
  step(
    'holds all tables and files of one moment, and restores the same rows and books to an empty database',
    async () => {
      const { fresh, into } = await emptyDatabase()
      await restore(into.owner, fresh.config, whole())
      const again = await backUp(into.owner, fresh.config, path.join(folder, 'again'))
      const counts = (of: Manifest) => of.tables.map(({ name, rows }) => ({ name, rows }))
      expect(counts(again)).toEqual(counts(manifest))
      expect(again.sequences).toEqual(manifest.sequences)
      expect(again.files).toBe(1)
      const [docs] = await into.owner<{ count: number }[]>`select count(*)::int as count from document`
      expect(docs!.count).toBeGreaterThan(100)
      expect(await checkLedgers(into.owner)).toEqual([])
    },
  )

  step('works after a restore: users sign in and find their documents', async () => {
    const { fresh, into } = await emptyDatabase()
    await restore(into.owner, fresh.config, whole())
    const app = await buildApp({ config: fresh.config, database: into, logger: false })
    opened.push(() => app.close())
    const { createHash } = await import('node:crypto')
    const password = createHash('md5').update('Spd@2026').digest('hex')
    const reply = await app.inject({ method: 'POST', url: '/v1/login', payload: { userName: 'hospital', password } })
    expect(reply.json()).toMatchObject({ code: 0 })
  })

  step('is refused over existing data, and never overwrites an older one', async () => {
    await expect(restore(database.owner, source.config, whole())).rejects.toThrow('数据库里已有数据')
    await expect(backUp(database.owner, source.config, whole())).rejects.toThrow('不是空的')
  })

  step('that is damaged, incomplete or of another program is refused before anything is touched', async () => {
    const { fresh, into } = await emptyDatabase()
    const untouched = async () =>
      (await into.owner`select to_regclass('organisation') is null as bare`)[0]?.bare as boolean
    await expect(restore(into.owner, fresh.config, path.join(folder, 'nowhere'))).rejects.toThrow('缺少 manifest.json')
    const broken = path.join(folder, 'again')
    await appendFile(tableFile(broken, 'document'), 'x')
    await expect(restore(into.owner, fresh.config, broken)).rejects.toThrow('表 document 的文件已损坏')
    await rm(tableFile(broken, 'document'))
    await expect(restore(into.owner, fresh.config, broken)).rejects.toThrow('缺少表 document')
    expect(await untouched()).toBe(true)
  })
})
