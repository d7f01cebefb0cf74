import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { readFile, type Sender } from '#server/file-workers/pool.ts'
import { fileReader } from '#server/file-workers/reader.ts'
import type { FileStore } from '#server/files/store.ts'

/** The sizes that are stored: with arbitrary sizes, one picture could fill the store. */
const SIZES = [64, 96, 200, 400, 1024]

const pictureFile = fileReader<typeof import('#server/file-readers/thumbnail.reader.ts').default>(
  new URL('../file-readers/thumbnail.reader.ts', import.meta.url),
)

/** Pictures that are being made: a page that shows one in several places makes it once. */
const making = new Map<string, Promise<Uint8Array | null>>()

/**
 * A picture as WebP within a square of the requested pixels, or of the next larger size; made once and stored beside
 * the original. Null where there is none.
 */
export async function thumbnail(
  store: FileStore,
  name: string,
  wanted: number,
  sender: Sender,
): Promise<Readable | null> {
  const size = SIZES.find(each => each >= wanted) ?? SIZES.at(-1)!
  const kept = `${name.replace(/\.\w+$/, '')}-${size}.webp`
  const before = await store.open(kept)
  if (before) return before
  const made = making.get(kept) ?? make(store, name, { kept, size }, sender).finally(() => making.delete(kept))
  making.set(kept, made)
  const bytes = await made
  return bytes && Readable.from([Buffer.from(bytes)])
}

async function make(
  store: FileStore,
  name: string,
  { kept, size }: { readonly kept: string; readonly size: number },
  sender: Sender,
): Promise<Uint8Array | null> {
  const original = await store.open(name)
  if (!original) return null
  const [bytes = null] = (await readFile(pictureFile, () => buffer(original), { sizes: [size] }, sender)) ?? []
  if (bytes) await store.put(kept, Readable.from([Buffer.from(bytes)]))
  return bytes
}
