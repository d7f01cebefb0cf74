import { Readable } from 'node:stream'
import sharp from 'sharp'
import { overPages } from '#server/files/pdf.ts'

const MOST_PIXELS = 100_000_000
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

const bytesOf = async (original: Readable): Promise<Buffer> => Buffer.concat((await original.toArray()) as Buffer[])

/** A scan with the text over it; null where it is neither a picture nor a PDF that opens without a password. */
export async function watermarked(original: Readable, name: string, text: string): Promise<Buffer | null> {
  const bytes = await bytesOf(original)
  return (name.endsWith('.pdf') ? overPages(bytes, text) : overPicture(bytes, text)).catch(() => null)
}

/** Drawn into a picture, as JPEG. */
async function overPicture(bytes: Buffer, text: string): Promise<Buffer> {
  const upright = await sharp(bytes, { limitInputPixels: MOST_PIXELS })
    .rotate()
    .flatten({ background: '#fff' })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = upright.info
  return sharp(upright.data)
    .composite([{ input: watermark(text, width, height) }])
    .jpeg({ quality: 85 })
    .toBuffer()
}
