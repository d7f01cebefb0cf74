import { nullIfAbsent } from '#server/files/absent.ts'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartupError } from '#server/config.ts'

/** One table as copied: its columns in file order, its rows, and the SHA-256 of the file. */
export type CopiedTable = {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: number
  readonly sha256: string
}

/** The content of a backup. Written last: a folder without it is an incomplete backup. */
export type Manifest = {
  readonly made_at: string
  readonly postgres: string
  /** The migrations that made the schema. */
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[]
  readonly tables: readonly CopiedTable[]
  readonly sequences: readonly { readonly name: string; readonly value: string; readonly is_called: boolean }[]
  /** Number of uploaded files in the data folder; null: they are in a bucket, which has its own backups. */
  readonly files: number | null
}

export const manifestOf = (folder: string) => path.join(folder, 'manifest.json')
export const tableFile = (folder: string, table: string) => path.join(folder, 'tables', `${table}.copy.gz`)
export const filesFolder = (folder: string) => path.join(folder, 'files')

/** Reads a backup's manifest and checks every table's file against it, before anything is touched. */
export async function readBackup(folder: string): Promise<Manifest> {
  const text = await readFile(manifestOf(folder), 'utf8').catch(nullIfAbsent)
  if (text === null) throw new StartupError(`${folder} 不是完整的备份：缺少 manifest.json。请换一个备份目录。`)
  const manifest = JSON.parse(text) as Manifest
  for (const table of manifest.tables) {
    const found = await sha256Of(tableFile(folder, table.name)).catch(nullIfAbsent)
    if (found === null) throw new StartupError(`备份缺少表 ${table.name} 的文件，不能恢复。请换一个备份。`)
    if (found !== table.sha256)
      throw new StartupError(`备份中表 ${table.name} 的文件已损坏（校验和不符），不能恢复。请换一个备份。`)
  }
  return manifest
}

/** The SHA-256 of a file's bytes, in hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
