import { StartupError } from '../config.ts'
import type { TransactionSql } from './database.ts'

/** The first migration of the schema before it was written anew; nothing leads from there to the schema of today. */
const FORMER = '0001-foundation.sql'
const ELSEWHERE = '请换一个空的数据库再启动'

/** Refuses a database of the former schema, and touches nothing in it. `freshStart` says what to do instead. */
export async function refuseFormer(
  tx: TransactionSql,
  migrations: readonly { readonly name: string }[],
  freshStart = ELSEWHERE,
): Promise<void> {
  if (migrations.some(migration => migration.name === FORMER)) return
  const [former] = await tx`select 1 from schema_version where name = ${FORMER}`
  if (former)
    throw new StartupError(`数据库由旧版程序建立，结构已整体重写，不能沿用（旧数据原样未动）。${freshStart}。`)
}

/** Refuses a backup of the former schema before anything is done with it. */
export function refuseFormerBackup(migrations: readonly { readonly name: string }[]): void {
  if (migrations.some(migration => migration.name === FORMER))
    throw new StartupError('备份由旧版程序写成，结构已整体重写，不能恢复到本版本。请用写出它的版本恢复。')
}
