import { StartupError } from '../config.ts'
import type { TransactionSql } from './database.ts'
import type { SqlFile } from './migrate.ts'

/** The tables of the migrations themselves: they are neither copied by a backup nor emptied for a demo. */
export const SCHEMA_TABLES = ['schema_version', 'schema_object_version'] as const

type Execute = (tx: TransactionSql, file: SqlFile) => Promise<void>

/**
 * Replaces all views and functions of the files at once when their text has changed: the existing ones are dropped,
 * latest first, and all are created in the order of the files, so that a signature, a column or an order may change
 * freely. Other processes see the old ones or the new ones, never none. Every earlier set is remembered: an older
 * program, which would bring one back, is refused.
 */
export async function replaceObjects(
  tx: TransactionSql,
  files: readonly SqlFile[],
  sha256: string,
  execute: Execute,
): Promise<void> {
  await tx`create table if not exists schema_object_version (
    sha256     text primary key,
    drops      text[] not null,
    applied_at timestamptz not null default clock_timestamp()
  )`
  const past = await tx<{ sha256: string; drops: string[] }[]>`
    select sha256, drops from schema_object_version order by applied_at desc`
  if (past[0]?.sha256 === sha256) return
  if (past.some(set => set.sha256 === sha256))
    throw new StartupError('数据库里的视图和函数由更新的版本写过。请改用新版本启动。')
  for (const drop of past[0]?.drops ?? []) await tx.unsafe(drop)
  const before = await objectsOf(tx)
  for (const file of files) await execute(tx, file)
  const kept = new Set(before)
  const drops = (await objectsOf(tx)).filter(drop => !kept.has(drop))
  await tx`insert into schema_object_version (sha256, drops) values (${sha256}, ${drops})`
}

/**
 * Statements that drop each view and function of the program's schemas, the latest first: what depends goes before
 * what it needs.
 */
async function objectsOf(tx: TransactionSql): Promise<string[]> {
  const found = await tx<{ drop: string }[]>`
    select o.drop
      from (
        select oid, 'drop view ' || oid::regclass as drop
          from pg_class
         where relkind = 'v' and relnamespace::regnamespace::text in ('public', 'overseen')
        union all
        select oid, 'drop routine ' || oid::regprocedure
          from pg_proc
         where pronamespace = 'public'::regnamespace) o
     where not exists (select 1 from pg_depend e where e.objid = o.oid and e.deptype = 'e')
     order by o.oid desc`
  return found.map(object => object.drop)
}
