import { buffer } from 'node:stream/consumers'
import { BusinessError } from '#kernel/rules/errors.ts'
import { askedBetween } from '#server/database/in-transaction.ts'
import type { Tx } from '#server/database/transaction.ts'
import { readFile } from '#server/file-workers/pool.ts'
import type { FileReader } from '#server/file-workers/reader.ts'
import { filesOf, type Kept } from '#server/files/save.ts'
import { fileStore } from '#server/registry/connections.ts'
import type { Session } from '#server/access/session.ts'

const MB = 1024 * 1024

/** The content of a file or the reason why it cannot be read, with the name that its user gave it. */
export type ReadFile<Result> =
  | { readonly name: string; readonly read: Result; readonly refused: null }
  | { readonly name: string; readonly read: null; readonly refused: BusinessError }

/**
 * Reads stored files of the organisation, in their order, each once. It is called in a transaction, which never waits
 * for the files: it is rolled back, workers read them, and it runs again with the results.
 */
export async function readStoredFiles<Options, Result>(
  tx: Tx,
  session: Session,
  names: readonly string[],
  reader: FileReader<Options, Result>,
  options: Options,
): Promise<readonly ReadFile<Result>[]> {
  const known = await filesOf(tx, names)
  const files = names.map(name => mustBeReadable(known.get(name), reader.limits.mostBytes))
  const sender = { person: session.userId, organisation: session.org.id }
  const readOne = async ({ name, original_name: called }: Kept): Promise<ReadFile<Result>> => {
    try {
      const read = await readFile(reader, () => bytesOf(name, called), options, sender)
      return { name: called, read, refused: null }
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error
      return { name: called, read: null, refused: new BusinessError('invalid', `文件【${called}】：${error.message}`) }
    }
  }
  const key = `${reader.module} ${JSON.stringify([names, options])}`
  return askedBetween(key, () => Promise.all(files.map(readOne)))
}

/** The same of one file; one that cannot be read is refused in its reader's words. */
export async function readStoredFile<Options, Result>(
  tx: Tx,
  session: Session,
  name: string,
  reader: FileReader<Options, Result>,
  options: Options,
): Promise<{ readonly name: string; readonly read: Result }> {
  const [file] = await readStoredFiles(tx, session, [name], reader, options)
  if (file!.refused) throw file!.refused
  return file!
}

function mustBeReadable(kept: Kept | undefined, mostBytes: number): Kept {
  if (!kept) throw new BusinessError('notFound', '文件不存在，请重新上传')
  if (kept.size > mostBytes)
    throw new BusinessError('invalid', `文件【${kept.original_name}】超过${Math.floor(mostBytes / MB)}MB，不能读取`)
  return kept
}

async function bytesOf(name: string, called: string): Promise<Buffer> {
  const stream = await fileStore().open(name)
  if (stream === null) throw new BusinessError('notFound', `文件【${called}】已丢失，请重新上传`)
  return buffer(stream)
}
