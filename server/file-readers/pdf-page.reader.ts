import sharp from 'sharp'
import { contentOf } from '#server/file-readers/content.ts'
import { withPdf } from '#server/file-readers/pdf.ts'

/** Points are 72 an inch; a print needs twice as many dots to be readable, a large page no more than these. */
const SCALE = 2.5
const MOST_DRAWN = 16_000_000

/**
 * How many pages a PDF has, and the page of that number, from 1, as JPEG; null where the file is no PDF that opens
 * without a password, and without a picture where it has no such page.
 */
export default async function pdfPage(
  bytes: Buffer,
  { page: number }: { readonly page: number },
): Promise<{ readonly pages: number; readonly picture: Uint8Array | null } | null> {
  if (contentOf(bytes) !== 'pdf') return null
  try {
    return await withPdf(bytes, async pdf => {
      const pages = pdf.getPageCount()
      if (number < 1 || number > pages) return { pages, picture: null }
      const page = pdf.getPage(number - 1)
      const { originalWidth, originalHeight } = page.getOriginalSize()
      const scale = Math.min(SCALE, Math.sqrt(MOST_DRAWN / Math.max(1, originalWidth * originalHeight)))
      const { data, width, height } = await page.render({ scale, render: 'bitmap' })
      const picture = await sharp(data, { raw: { width, height, channels: 4 } })
        .flatten({ background: '#fff' })
        .jpeg({ quality: 85 })
        .toBuffer()
      return { pages, picture }
    })
  } catch {
    // A file whose first bytes look like a PDF may not be one.
    return null
  }
}
