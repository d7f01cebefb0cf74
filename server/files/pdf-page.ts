import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { readFile, type Sender } from '#server/file-workers/pool.ts'
import { fileReader } from '#server/file-workers/reader.ts'

const pageFile = fileReader<typeof import('#server/file-readers/pdf-page.reader.ts').default>(
  new URL('../file-readers/pdf-page.reader.ts', import.meta.url),
)

/** The page of a PDF of that number, from 1, as JPEG; null where it has no such page, or cannot be read. */
export async function pdfPage(original: Readable | Buffer, page: number, sender: Sender): Promise<Buffer | null> {
  const read = await readFile(pageFile, async () => bytesOf(original), { page }, sender)
  return read?.picture ? Buffer.from(read.picture) : null
}

/** How many pages a PDF has; 0 where it cannot be read. */
export const pagesIn = async (original: Readable, sender: Sender): Promise<number> =>
  (await readFile(pageFile, () => buffer(original), { page: 0 }, sender))?.pages ?? 0

const bytesOf = async (from: Readable | Buffer): Promise<Buffer> => (Buffer.isBuffer(from) ? from : buffer(from))
