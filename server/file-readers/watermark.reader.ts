import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { BusinessError } from '#kernel/rules/errors.ts'
import { contentOf } from '#server/file-readers/content.ts'
import { pagesOf } from '#server/file-readers/pdf.ts'
import { openPicture } from '#server/file-readers/picture.ts'
import { watermark } from '#server/files/watermark.ts'

/** Maximum pages of a scan; a whole book is not a licence. */
const MOST_PAGES = 200
const MOST_POINTS = 4000

/** A scan with the text over it; null where it is neither a picture nor a PDF that opens without a password. */
export default async function watermarked(
  bytes: Buffer,
  { text }: { readonly text: string },
): Promise<Uint8Array | null> {
  const content = contentOf(bytes)
  if (content !== 'pdf' && content !== 'picture') return null
  try {
    return await (content === 'pdf' ? overPages(bytes, text) : overPicture(bytes, text))
  } catch (error) {
    if (error instanceof BusinessError) throw error
    return null
  }
}

/** The text over every page, as a picture: no font with Chinese characters has to be embedded. */
async function overPages(bytes: Buffer, text: string): Promise<Uint8Array | null> {
  if ((await pagesOf(bytes)) > MOST_PAGES) return null
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
  const drawn = new Map<string, Awaited<ReturnType<typeof pdf.embedPng>>>()
  for (const page of pdf.getPages()) {
    const { x, y, width, height } = page.getMediaBox()
    const [across, down] = [pointsOf(width), pointsOf(height)]
    const size = `${across}x${down}`
    const layer = drawn.get(size) ?? (await pdf.embedPng(await layerOf(text, across, down)))
    drawn.set(size, layer)
    page.drawImage(layer, { x, y, width, height })
  }
  return pdf.save()
}

const layerOf = (text: string, width: number, height: number): Promise<Buffer> =>
  sharp(watermark(text, width, height))
    .png()
    .toBuffer()

const pointsOf = (side: number): number => Math.min(MOST_POINTS, Math.max(1, Math.round(side)))

/** Drawn into a picture, as JPEG. */
async function overPicture(bytes: Buffer, text: string): Promise<Uint8Array> {
  const upright = await openPicture(bytes).flatten({ background: '#fff' }).toBuffer({ resolveWithObject: true })
  const { width, height } = upright.info
  return sharp(upright.data)
    .composite([{ input: watermark(text, width, height) }])
    .jpeg({ quality: 85 })
    .toBuffer()
}
