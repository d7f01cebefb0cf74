import { Readable } from 'node:stream'
import sharp from 'sharp'
import type { FileStore } from '#server/files/store.ts'

/** An image with more pixels than any camera makes is an attack. */
const MOST_PIXELS = 100_000_000
/** The sizes that are stored: with arbitrary sizes, one picture could fill the store. */
const SIZES = [64, 96, 200, 400, 1024]

/**
 * A picture as WebP within a square of the requested pixels, or of the next larger size; made once and stored beside
 * the original. Null where there is none.
 */
export async function thumbnail(store: FileStore, name: string, wanted: number): Promise<Readable | null> {
  const size = SIZES.find(each => each >= wanted) ?? SIZES.at(-1)!
  const kept = `${name.replace(/\.\w+$/, '')}-${size}.webp`
  const before = await store.open(kept)
  if (before) return before
  const original = await store.open(name)
  if (!original) return null
  const shape = { fit: 'inside', withoutEnlargement: true } as const
  const picture = original.pipe(sharp({ limitInputPixels: MOST_PIXELS }).rotate().resize(size, size, shape).webp())
  // A file whose first bytes look like a picture may not be one.
  const bytes = await picture.toBuffer().catch(() => null)
  if (!bytes) return null
  await store.put(kept, Readable.from([bytes]))
  return Readable.from([bytes])
}
