import { parseInteger } from '#kernel/integer.ts'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartupRefusal } from '../config.ts'
import type { Sql, TransactionSql } from './database.ts'
import { appRoleOf } from './app-role.ts'

const MIGRATIONS = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'migrations')

interface Migration {
  name: string
  text: string
  sha256: string
}

/**
 * Brings the schema up to date and returns the names of the files it applied. Several processes may call it at once.
 * `only`: no other files than these, for a schema as it was when a backup was made.
 */
export async function migrate(
  owner: Sql,
  { dir = MIGRATIONS, only }: { readonly dir?: string; readonly only?: readonly string[] } = {},
): Promise<string[]> {
  const all = await readMigrations(dir)
  const migrations = only ? all.filter(migration => only.includes(migration.name)) : all
  await owner.begin(async tx => {
    await queue(tx)
    await createVersionTable(tx)
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
  return applied
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter(name => name.endsWith('.sql')).sort()
  const numbers = new Set<string>()
  for (const name of names) {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]
    if (!number) throw new StartupRefusal(`迁移文件 ${name} 的名字应形如 0001-name.sql。`)
    if (numbers.has(number)) throw new StartupRefusal(`有两个迁移文件的编号都是 ${number}，请改正其中一个。`)
    numbers.add(number)
  }
  return Promise.all(names.map(name => readMigration(dir, name)))
}

async function readMigration(dir: string, name: string): Promise<Migration> {
  // A checkout on Windows may have turned the line ends.
  const text = (await readFile(path.join(dir, name), 'utf8')).replaceAll('\r\n', '\n')
  return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
}

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
    throw new StartupRefusal(`数据库里有本程序不认识的迁移 ${unknown.name}：它由更新的版本写过。请改用新版本启动。`)
}

/** Applies one file, unless it was; says whether it did. */
async function apply(tx: TransactionSql, { name, text, sha256 }: Migration): Promise<boolean> {
  const [before] = await tx<{ sha256: string }[]>`select sha256 from schema_version where name = ${name}`
  if (before && before.sha256 !== sha256) {
    throw new StartupRefusal(`迁移文件 ${name} 在执行之后被改动过。请恢复原文，把改动写成新的迁移文件。`)
  }
  if (before) return false
  try {
    await tx.unsafe(text.replaceAll(':app_role', await quotedAppRole(tx)))
  } catch (error) {
    throw new StartupRefusal(`迁移文件 ${name} 执行失败：${describe(error, text)}`, { cause: error })
  }
  await tx`insert into schema_version (name, sha256) values (${name}, ${sha256})`
  return true
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
