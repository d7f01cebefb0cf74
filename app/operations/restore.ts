import { parseInteger } from '#kernel/values/integer.ts'
import { createReadStream, existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Sql } from 'postgres'
import { type Config, StartupError } from '#server/config.ts'
import type { Tx } from '#server/database/transaction.ts'
import { type CopiedTable, filesFolder, type Manifest, readBackup, tableFile } from '#app/operations/manifest.ts'
import { refuseFormerBackup } from '#server/plugins/former-schema.ts'
import { migrate } from '#app/schema.ts'

/**
 * Fills an empty database and data folder from a backup, all or nothing, and migrates the schema to this program's.
 * Refuses a database in use, a backup of a newer program, and one whose files are damaged.
 */
export async function restore(owner: Sql, config: Config, folder: string): Promise<Manifest> {
  const manifest = await readBackup(folder)
  refuseFormerBackup(manifest.migrations)
  await refuseUsed(owner)
  if (manifest.files !== null && config.fileStore)
    throw new StartupError(
      '备份里有文件，而 FILE_STORE 指向对象存储。请先把备份的 files 目录传到存储桶，或去掉 FILE_STORE。',
    )
  await migrate(owner, { only: manifest.migrations.map(migration => migration.name) })
  await owner.begin(async tx => {
    await tx`set local statement_timeout = 0`
    // Names that one installation distinguished before they were compared as people read them stay as they are.
    await tx`set local medtrace.restoring = 'on'`
    await refuseOtherSchema(tx, manifest)
    const keys = await dropForeignKeys(tx)
    for (const table of manifest.tables) await tx`delete from ${tx(table.name)}`
    for (const table of manifest.tables) await fill(tx, folder, table)
    for (const { table, name, definition } of keys)
      await tx.unsafe(`alter table ${table} add constraint "${name}" ${definition}`)
    for (const { name, value, is_called } of manifest.sequences)
      await tx`select setval(${`public.${name}`}::regclass, ${value}::bigint, ${is_called})`
  })
  await migrate(owner)
  await owner`analyze`
  await restoreFiles(config, folder)
  return manifest
}

async function refuseUsed(owner: Sql): Promise<void> {
  const [schema] = await owner<{ exists: boolean }[]>`select to_regclass('organisation') is not null as exists`
  if (!schema?.exists) return
  const [used] = await owner`select 1 from organisation limit 1`
  if (used) throw new StartupError('数据库里已有数据，不能恢复到上面。请用一个空的数据库，或用 DATA_DIR 另指一个目录。')
}

async function refuseOtherSchema(tx: Tx, manifest: Manifest): Promise<void> {
  const applied = await tx<{ name: string; sha256: string }[]>`select name, sha256 from schema_version order by name`
  const here = new Map(applied.map(({ name, sha256 }) => [name, sha256]))
  const unknown = manifest.migrations.find(({ name, sha256 }) => here.get(name) !== sha256)
  if (unknown)
    throw new StartupError(
      `备份由不同版本的程序写成（迁移 ${unknown.name} 对不上）。请用写出它的版本或更新的版本恢复。`,
    )
}

/** Tables are restored in name order, not key order; foreign keys are checked when all rows are there. */
async function dropForeignKeys(tx: Tx): Promise<{ table: string; name: string; definition: string }[]> {
  const keys = await tx<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, conname::text as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
     order by 1, 2`
  for (const { table, name } of keys) await tx.unsafe(`alter table ${table} drop constraint "${name}"`)
  return keys
}

async function fill(tx: Tx, folder: string, { name, columns, rows }: CopiedTable): Promise<void> {
  const into = await tx`copy ${tx(name)} (${tx([...columns])}) from stdin`.writable()
  await pipeline(createReadStream(tableFile(folder, name)), createGunzip(), into)
  const [found] = await tx<{ count: string }[]>`select count(*) as count from ${tx(name)}`
  if (parseInteger(found?.count) !== rows)
    throw new StartupError(`表 ${name} 应有 ${rows} 行，恢复后是 ${found?.count} 行：备份不完整。`)
}

async function restoreFiles(config: Config, folder: string): Promise<void> {
  const keep = { recursive: true, force: false, errorOnExist: true } as const
  if (existsSync(filesFolder(folder))) await cp(filesFolder(folder), path.join(config.dataDir, 'files'), keep)
  const key = path.join(folder, 'device.key')
  if (existsSync(key)) await cp(key, path.join(config.dataDir, 'device.key'))
}
