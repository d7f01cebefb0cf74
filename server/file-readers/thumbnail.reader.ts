import { contentOf } from '#server/file-readers/content.ts'
import { openPicture } from '#server/file-readers/picture.ts'

/** The picture as WebP within squares of these pixels, one after the other; null where the file is no picture. */
export default async function thumbnails(
  bytes: Buffer,
  { sizes }: { readonly sizes: readonly number[] },
): Promise<readonly Uint8Array[] | null> {
  if (contentOf(bytes) !== 'picture') return null
  const shape = { fit: 'inside', withoutEnlargement: true } as const
  const made: Uint8Array[] = []
  try {
    for (const size of sizes) made.push(await openPicture(bytes).resize(size, size, shape).webp().toBuffer())
    return made
  } catch {
    // A file whose first bytes look like a picture may not be one.
    return null
  }
}
