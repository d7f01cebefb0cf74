import { nullIfAbsent } from '#server/files/absent.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartupError } from '../config.ts'
import type { Sql, TransactionSql } from './database.ts'
import { appRoleOf } from './app-role.ts'
import { refuseFormer } from './former-schema.ts'
import { replaceObjects } from './schema-objects.ts'

const MIGRATIONS = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'migrations')
/** Inside the folder of migrations: views and functions, which are replaced whenever their text has changed. */
const REPEATABLE = 'repeatable'

export interface SqlFile {
  readonly name: string
  readonly text: string
}
interface Migration extends SqlFile {
  readonly sha256: string
}

export interface MigrateOptions {
  readonly dir?: string
  /** No other migrations than these, and no views: for a schema as it was when a backup was made. */
  readonly only?: readonly string[]
  /** The text for each `:name` in views and functions: lists that come from the definitions. */
  readonly fragments?: Readonly<Record<string, string>>
  /** The advice for a database of a program before the first migration that is here. */
  readonly freshStart?: string
}

/**
 * Brings the schema up to date: applies the migrations that the database has not seen, then replaces views and
 * functions if any of them changed. Returns the names of the migrations it applied. Several processes may call it at
 * once.
 */
export async function migrate(owner: Sql, options: MigrateOptions = {}): Promise<string[]> {
  const { dir = MIGRATIONS, only, fragments = {} } = options
  const all = await readMigrations(dir)
  const migrations = only ? all.filter(migration => only.includes(migration.name)) : all
  await owner.begin(async tx => {
    await queue(tx)
    await createVersionTable(tx)
    await refuseFormer(tx, migrations, options.freshStart)
    await refuseUnknown(tx, migrations)
  })
  const applied: string[] = []
  for (const migration of migrations) {
    const isNew = await owner.begin(async tx => {
      await queue(tx)
      return apply(tx, migration)
    })
    if (isNew) applied.push(migration.name)
  }
  if (only) return applied
  const objects = (await readFiles(path.join(dir, REPEATABLE))).map(file => filled(file, fragments))
  await owner.begin(async tx => {
    await queue(tx)
    await replaceObjects(tx, objects, sha256Of(objects.map(file => file.text).join('\n')), execute)
  })
  return applied
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const files = await readFiles(dir)
  const numbers = new Set<string>()
  for (const { name } of files) {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]
    if (!number) throw new StartupError(`迁移文件 ${name} 的名字应形如 0001-name.sql。`)
    if (numbers.has(number)) throw new StartupError(`有两个迁移文件的编号都是 ${number}，请改正其中一个。`)
    numbers.add(number)
  }
  return files.map(file => ({ ...file, sha256: sha256Of(file.text) }))
}

/** The SQL files of a folder in the order of their names; a folder that is not there has none. */
async function readFiles(dir: string): Promise<SqlFile[]> {
  const names = ((await readdir(dir).catch(nullIfAbsent)) ?? []).filter(name => name.endsWith('.sql')).sort()
  return Promise.all(
    // A checkout on Windows may have changed the line ends.
    names.map(async name => ({ name, text: (await readFile(path.join(dir, name), 'utf8')).replaceAll('\r\n', '\n') })),
  )
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

const filled = ({ name, text }: SqlFile, fragments: Readonly<Record<string, string>>): SqlFile => ({
  name,
  text: Object.entries(fragments).reduce((done, [word, sql]) => done.replaceAll(`:${word}`, sql), text),
})

const queue = (tx: TransactionSql) => tx`select pg_advisory_xact_lock(hashtext('medtrace migrations'))`

async function createVersionTable(tx: TransactionSql): Promise<void> {
  await tx`create table if not exists schema_version (
    name       text primary key,
    sha256     text not null,
    applied_at timestamptz not null default now()
  )`
  await tx.unsafe(`grant select on schema_version to ${await quotedAppRole(tx)}`)
}

async function refuseUnknown(tx: TransactionSql, migrations: Migration[]): Promise<void> {
  const known = migrations.map(migration => migration.name)
  const [unknown] = await tx<
    { name: string }[]
  >`select name from schema_version where name <> all(${known}::text[]) order by name limit 1`
  if (unknown)
    throw new StartupError(`数据库里有本程序不认识的迁移 ${unknown.name}：它由更新的版本写过。请改用新版本启动。`)
}

/** Applies one file unless it was applied before; returns whether it did. */
async function apply(tx: TransactionSql, { name, text, sha256 }: Migration): Promise<boolean> {
  const [before] = await tx<{ sha256: string }[]>`select sha256 from schema_version where name = ${name}`
  if (before && before.sha256 !== sha256) {
    throw new StartupError(`迁移文件 ${name} 在执行之后被改动过。请恢复原文，把改动写成新的迁移文件。`)
  }
  if (before) return false
  await execute(tx, { name, text })
  await tx`insert into schema_version (name, sha256) values (${name}, ${sha256})`
  return true
}

async function execute(tx: TransactionSql, { name, text }: SqlFile): Promise<void> {
  try {
    await tx.unsafe(text.replaceAll(':app_role', await quotedAppRole(tx)))
  } catch (error) {
    throw new StartupError(`迁移文件 ${name} 执行失败：${describe(error, text)}`, { cause: error })
  }
}

async function quotedAppRole(tx: TransactionSql): Promise<string> {
  const [database] = await tx<{ name: string }[]>`select current_database() as name`
  return `"${appRoleOf(database?.name ?? '').replaceAll('"', '""')}"`
}

function describe(error: unknown, text: string): string {
  if (!(error instanceof Error)) return String(error)
  const position = 'position' in error ? parseInteger(error.position) : 0
  return position > 0 ? `第 ${text.slice(0, position).split('\n').length} 行附近，${error.message}` : error.message
}
