import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { BusinessError } from '#kernel/rules/errors.ts'
import { readFile, type Sender } from '#server/file-workers/pool.ts'
import { fileReader } from '#server/file-workers/reader.ts'

/** Fonts with Chinese characters, for all operating systems. */
const FACES = "'Noto Sans CJK SC','Source Han Sans SC','Microsoft YaHei','PingFang SC','SimHei',sans-serif"
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The text repeated across a picture of this size, slanted and translucent. */
export function watermark(text: string, width: number, height: number): Buffer {
  const size = Math.max(14, Math.round(Math.min(width, height) / 24))
  const [across, down] = [Math.max(1, [...text].length) * size + size * 3, size * 6]
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><pattern id="w" ` +
      `width="${across}" height="${down}" patternUnits="userSpaceOnUse" patternTransform="rotate(-28)">` +
      `<text x="0" y="${down / 2}" font-family="${FACES}" font-size="${size}" fill="#c00" ` +
      `fill-opacity="0.28">${escaped(text)}</text></pattern></defs><rect width="100%" height="100%" ` +
      'fill="url(#w)"/></svg>',
  )
}

const scanFile = fileReader<typeof import('#server/file-readers/watermark.reader.ts').default>(
  new URL('../file-readers/watermark.reader.ts', import.meta.url),
)

/** A scan with the text over it; null where it is neither a picture nor a PDF that opens without a password. */
export async function watermarked(original: Readable, text: string, sender: Sender): Promise<Buffer | null> {
  try {
    const made = await readFile(scanFile, () => buffer(original), { text }, sender)
    return made && Buffer.from(made)
  } catch (error) {
    if (error instanceof BusinessError) return null
    throw error
  }
}
