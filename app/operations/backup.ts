import { nullIfAbsent } from '#server/files/absent.ts'
import { createWriteStream, existsSync } from 'node:fs'
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Sql } from 'postgres'
import { type Config, StartupError } from '#server/config.ts'
import type { Tx } from '#server/database/transaction.ts'
import { SCHEMA_TABLES } from '#server/plugins/schema-objects.ts'
import {
  type CopiedTable,
  filesFolder,
  type Manifest,
  manifestOf,
  sha256Of,
  tableFile,
} from '#app/operations/manifest.ts'

/**
 * Copies every table at one moment, the uploaded files and the device key into an empty folder, while the server
 * keeps working. Files referenced by a row of that moment are included: they are stored before their rows, and
 * copied after them.
 */
export async function backUp(owner: Sql, config: Config, folder: string): Promise<Manifest> {
  const left = (await readdir(folder).catch(nullIfAbsent)) ?? []
  if (left.length > 0) throw new StartupError(`备份目录 ${folder} 不是空的。请换一个目录，旧的备份不会被覆盖。`)
  await mkdir(path.join(folder, 'tables'), { recursive: true })
  const copied = (await owner.begin('isolation level repeatable read read only', tx =>
    copyDatabase(tx, folder),
  )) as Omit<Manifest, 'files'>
  const manifest: Manifest = { ...copied, files: await copyFiles(config, folder) }
  await writeFile(manifestOf(folder), `${JSON.stringify(manifest, null, 1)}\n`)
  return manifest
}

async function copyDatabase(tx: Tx, folder: string): Promise<Omit<Manifest, 'files'>> {
  await tx`set local statement_timeout = 0`
  const [server] = await tx<
    { made_at: string; postgres: string }[]
  >`select now()::text as made_at, current_setting('server_version') as postgres`
  const migrations = await tx<{ name: string; sha256: string }[]>`select name, sha256 from schema_version order by name`
  const tables: CopiedTable[] = []
  for (const { name, columns } of await tablesOf(tx)) tables.push(await copyTable(tx, folder, name, columns))
  const names = await tx<{ name: string }[]>`
    select c.relname as name from pg_class c
     where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace order by 1`
  const sequences: Manifest['sequences'][number][] = []
  for (const { name } of names) {
    const [at] = await tx<
      { value: string; is_called: boolean }[]
    >`select last_value as value, is_called from ${tx(name)}`
    if (at) sequences.push({ name, ...at })
  }
  return { ...server!, migrations, tables, sequences }
}

/** Every table but those of the migrations, with its columns in order. */
async function tablesOf(tx: Tx): Promise<{ name: string; columns: string[] }[]> {
  return tx<{ name: string; columns: string[] }[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
       and c.relname <> all(${SCHEMA_TABLES}::text[])
     group by c.relname order by 1`
}

async function copyTable(tx: Tx, folder: string, name: string, columns: readonly string[]): Promise<CopiedTable> {
  const file = tableFile(folder, name)
  // A query, since a partitioned table cannot be copied by its name.
  const rows = await tx`copy (select ${tx([...columns])} from ${tx(name)}) to stdout`.readable()
  let count = 0
  await pipeline(
    rows,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        for (const byte of chunk) if (byte === NEW_LINE) count += 1
        yield chunk
        // The driver may pause its connection after the stream asked for more, and then nothing resumes it: asking
        // again does.
        if (rows.readableLength === 0) setImmediate(() => rows._read(0))
      }
    },
    createGzip({ level: 6 }),
    createWriteStream(file),
  )
  return { name, columns, rows: count, sha256: await sha256Of(file) }
}

/** In the text format of COPY a line is a row: those inside a value are written as \\n. */
const NEW_LINE = 10

/** The number of copied files; null where they are in a bucket. */
async function copyFiles(config: Config, folder: string): Promise<number | null> {
  const key = path.join(config.dataDir, 'device.key')
  if (existsSync(key)) await cp(key, path.join(folder, 'device.key'))
  if (config.fileStore) return null
  const source = path.join(config.dataDir, 'files')
  const target = filesFolder(folder)
  await mkdir(target, { recursive: true })
  if (!existsSync(source)) return 0
  // Files still being uploaded belong to no row yet.
  await cp(source, target, { recursive: true, filter: file => !file.endsWith('.part') })
  const all = await readdir(target, { recursive: true, withFileTypes: true })
  return all.filter(entry => entry.isFile()).length
}
