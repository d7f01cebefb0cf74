import { Readable } from 'node:stream'
import sharp from 'sharp'

const MOST_PIXELS = 100_000_000
/** Faces with Chinese characters, of whatever system the house runs on. */
const FACES = "'Noto Sans CJK SC','Source Han Sans SC','Microsoft YaHei','PingFang SC','SimHei',sans-serif"
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The text over and over across a picture of this size, slanted and see-through. */
function layer(text: string, width: number, height: number): Buffer {
  const size = Math.max(14, Math.round(Math.min(width, height) / 24))
  const [across, down] = [Math.max(1, [...text].length) * size + size * 3, size * 6]
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><pattern id="w" width="${across}" height="${down}" patternUnits="userSpaceOnUse" patternTransform="rotate(-28)">` +
      `<text x="0" y="${down / 2}" font-family="${FACES}" font-size="${size}" fill="#c00" fill-opacity="0.28">${escaped(text)}</text></pattern></defs><rect width="100%" height="100%" fill="url(#w)"/></svg>`,
  )
}

/** A picture with its watermark burnt in, as JPEG; null where the bytes are no picture. */
export async function watermarked(original: Readable, text: string): Promise<Buffer | null> {
  const bytes = await Readable.from(original).toArray()
  try {
    const upright = await sharp(Buffer.concat(bytes as Buffer[]), { limitInputPixels: MOST_PIXELS })
      .rotate()
      .flatten({ background: '#fff' })
      .toBuffer({ resolveWithObject: true })
    const { width, height } = upright.info
    return await sharp(upright.data)
      .composite([{ input: layer(text, width, height) }])
      .jpeg({ quality: 85 })
      .toBuffer()
  } catch {
    return null
  }
}
