import { Readable } from 'node:stream'
import sharp from 'sharp'
import type { FileStore } from '#server/engine/files/store.ts'

/** More pixels than any camera makes are a bomb. */
const MOST_PIXELS = 100_000_000
export const smallest = 16
export const largest = 1024

/** A picture within a square of `size` pixels as WebP, made once and kept beside the original; null where there is none. */
export async function thumbnail(store: FileStore, name: string, size: number): Promise<Readable | null> {
  const kept = `${name.replace(/\.\w+$/, '')}-${size}.webp`
  const before = await store.open(kept)
  if (before) return before
  const original = await store.open(name)
  if (!original) return null
  const shape = { fit: 'inside', withoutEnlargement: true } as const
  const picture = original.pipe(sharp({ limitInputPixels: MOST_PIXELS }).rotate().resize(size, size, shape).webp())
  // What looks like a picture at its first bytes may be none.
  const bytes = await picture.toBuffer().catch(() => null)
  if (!bytes) return null
  await store.put(kept, Readable.from([bytes]))
  return Readable.from([bytes])
}
