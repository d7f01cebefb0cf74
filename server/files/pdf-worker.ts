import { parentPort, workerData } from 'node:worker_threads'
import { PDFDocument } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { watermark } from '#server/files/watermark.ts'

/** Maximum pages of a scan; a whole book is not a licence. */
const MOST_PAGES = 200
const MOST_POINTS = 4000

/** The text over every page, as a picture: no font with Chinese characters has to be embedded. */
async function marked({ bytes, text }: { bytes: Uint8Array; text: string }): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
  const pages = pdf.getPages()
  if (pages.length > MOST_PAGES) throw new Error(`a scan of ${pages.length} pages`)
  const drawn = new Map<string, Awaited<ReturnType<typeof pdf.embedPng>>>()
  for (const page of pages) {
    const { x, y, width, height } = page.getMediaBox()
    const [across, down] = [pointsOf(width), pointsOf(height)]
    const size = `${across}x${down}`
    const layer =
      drawn.get(size) ??
      (await pdf.embedPng(
        await sharp(watermark(text, across, down))
          .png()
          .toBuffer(),
      ))
    drawn.set(size, layer)
    page.drawImage(layer, { x, y, width, height })
  }
  return pdf.save()
}

const pointsOf = (side: number): number => Math.min(MOST_POINTS, Math.max(1, Math.round(side)))

parentPort?.postMessage(await marked(workerData as { bytes: Uint8Array; text: string }))
