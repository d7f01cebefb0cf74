import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { strFromU8, unzipSync } from 'fflate'
import sharp, { type Sharp } from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { SheetContent } from '#server/files/sheet-content.ts'

/** Of a longer file the rest is not read: an invoice has one page, and another for each list. */
const MOST_PAGES = 5
/** Dots for each point of a page: enough for the squares of a code that is 20 mm wide. */
const SCALE = 3
const MOST_PIXELS = 40_000_000
const MOST_UNPACKED = 20_000_000

const program = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
prepareZXingModule({
  overrides: {
    wasmBinary: program.buffer.slice(program.byteOffset, program.byteOffset + program.length) as ArrayBuffer,
  },
})

/** The QR codes in a picture of any kind that sharp opens. */
async function codesOf(picture: Sharp): Promise<string[]> {
  const { data, info } = await picture.rotate().flatten({ background: '#fff' }).ensureAlpha().raw().toBuffer({
    resolveWithObject: true,
  })
  const image = { data: new Uint8ClampedArray(data), width: info.width, height: info.height, colorSpace: 'srgb' }
  const found = await readBarcodes(image as ImageData, {
    formats: ['QRCode'],
    tryHarder: true,
    textMode: 'Plain',
    maxNumberOfSymbols: 4,
  })
  return found.filter(code => code.isValid).map(code => code.text)
}

async function ofPdf(bytes: Uint8Array): Promise<SheetContent> {
  const library = await PDFiumLibrary.init()
  const pdf = await library.loadDocument(bytes)
  const [texts, codes]: [string[], string[]] = [[], []]
  for (const page of [...pdf.pages()].slice(0, MOST_PAGES)) {
    texts.push(page.getText())
    const { originalWidth, originalHeight } = page.getOriginalSize()
    if (originalWidth * originalHeight * SCALE * SCALE > MOST_PIXELS) continue
    const { data, width, height } = await page.render({ scale: SCALE, render: 'bitmap' })
    codes.push(...(await codesOf(sharp(data, { raw: { width, height, channels: 4 } }))))
  }
  return { texts, codes, xml: [] }
}

/** An OFD is a zip: its pictures may be the code, its pages have text, its attachments the invoice's data. */
async function ofOfd(bytes: Uint8Array): Promise<SheetContent> {
  let size = 0
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/\.(xml|png|jpe?g|bmp)$/i.test(name)) return false
      size += originalSize
      return size <= MOST_UNPACKED
    },
  })
  const codes: string[] = []
  const xml: string[] = []
  for (const [name, content] of Object.entries(files)) {
    if (/\.xml$/i.test(name)) xml.push(strFromU8(content))
    else codes.push(...(await codesOf(sharp(content, { limitInputPixels: MOST_PIXELS })).catch(() => [])))
  }
  const words = (page: string) => [...page.matchAll(/<ofd:TextCode[^>]*>([^<]*)</g)].map(([, text]) => text ?? '')
  return { texts: [xml.flatMap(words).join('\n')], codes, xml }
}

async function read({ bytes, extension }: { bytes: Uint8Array; extension: string }): Promise<SheetContent> {
  if (extension === 'pdf') return ofPdf(bytes)
  if (extension === 'ofd') return ofOfd(bytes)
  if (extension === 'xml') return { texts: [], codes: [], xml: [Buffer.from(bytes).toString('utf8')] }
  return { texts: [], codes: await codesOf(sharp(bytes, { limitInputPixels: MOST_PIXELS })), xml: [] }
}

parentPort?.postMessage(await read(workerData as { bytes: Uint8Array; extension: string }))
