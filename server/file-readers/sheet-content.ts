import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Content, contentOf } from '#server/file-readers/content.ts'
import { decoded } from '#server/file-readers/csv.ts'
import { withPdf } from '#server/file-readers/pdf.ts'
import { openPicture } from '#server/file-readers/picture.ts'
import { xmlReader, type XmlRecord, xmlRecords } from '#server/file-readers/xml.ts'
import { Zip } from '#server/file-readers/zip.ts'
import sharp, { type Sharp } from 'sharp'

/** The content of a sheet that a program can read: its text page by page, its QR codes, and the records of its XML. */
export type SheetContent = {
  readonly texts: readonly string[]
  readonly codes: readonly string[]
  readonly xml: readonly { readonly whole: XmlRecord; readonly rows: readonly XmlRecord[] }[]
}

/** Further pages of a file are not read: an invoice has one page, and another for each list. */
const MOST_PAGES = 5
const LONGEST_TEXT = 200_000
/** Dots for each point of a page: enough for the squares of a code that is 20 mm wide. */
const SCALE = 3
/** A larger page is no sheet that somebody prints. */
const MOST_DRAWN = 16_000_000
/** A larger picture is made smaller before codes are looked for in it: they stay readable. */
const LONGEST_SIDE = 3600
const MOST_UNPACKED = 20_000_000
const MOST_PICTURES = 10

let isPrepared = false
function prepare(): void {
  if (isPrepared) return
  isPrepared = true
  const program = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
  const wasmBinary = program.buffer.slice(program.byteOffset, program.byteOffset + program.length) as ArrayBuffer
  prepareZXingModule({ overrides: { wasmBinary } })
}

/** The QR codes in a picture. */
async function codesOf(picture: Sharp): Promise<string[]> {
  prepare()
  const { data, info } = await picture
    .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength)
  const image = { data: pixels, width: info.width, height: info.height, colorSpace: 'srgb' }
  const found = await readBarcodes(image as unknown as ImageData, {
    formats: ['QRCode'],
    tryHarder: true,
    textMode: 'Plain',
    maxNumberOfSymbols: 4,
  })
  return found.filter(code => code.isValid).map(code => code.text)
}

const ofPdf = (bytes: Buffer): Promise<SheetContent> =>
  withPdf(bytes, async pdf => {
    const [texts, codes]: [string[], string[]] = [[], []]
    for (let at = 0; at < Math.min(pdf.getPageCount(), MOST_PAGES); at++) {
      const page = pdf.getPage(at)
      texts.push(page.getText().slice(0, LONGEST_TEXT))
      const { originalWidth, originalHeight } = page.getOriginalSize()
      if (originalWidth * originalHeight * SCALE * SCALE > MOST_DRAWN) continue
      const { data, width, height } = await page.render({ scale: SCALE, render: 'bitmap' })
      codes.push(...(await codesOf(sharp(data, { raw: { width, height, channels: 4 } }))))
    }
    return { texts, codes, xml: [] }
  })

/** An OFD is a zip: its pictures may be the code, its pages have text, its attachments the invoice's data. */
async function ofOfd(bytes: Buffer, rowNames: readonly string[]): Promise<SheetContent> {
  const zip = new Zip(bytes, MOST_UNPACKED)
  const codes: string[] = []
  const words: string[] = []
  const xml: SheetContent['xml'][number][] = []
  const lower = zip.names.map(name => [name, name.toLowerCase()] as const)
  for (const [name] of lower.filter(([, as]) => as.endsWith('.xml'))) {
    const records = xmlRecords(rowNames)
    let said: string[] | null = null
    const reader = xmlReader({
      open(opened, attributes) {
        records.listener.open?.(opened, attributes)
        if (opened === 'TextCode') said = []
      },
      text(text) {
        records.listener.text?.(text)
        said?.push(text)
      },
      close(closed) {
        records.listener.close?.(closed)
        if (closed === 'TextCode' && said !== null) words.push(said.join(''))
        if (closed === 'TextCode') said = null
      },
    })
    reader.write(decoded(zip.bytes(name)!) ?? '')
    reader.end()
    xml.push(records)
  }
  const pictures = lower.filter(([, as]) => ['.png', '.jpg', '.jpeg'].some(end => as.endsWith(end)))
  for (const [name] of pictures.slice(0, MOST_PICTURES))
    codes.push(...(await codesOf(openPicture(zip.bytes(name)!)).catch(() => [])))
  return {
    texts: [words.join('\n').slice(0, LONGEST_TEXT)],
    codes,
    xml: xml.map(({ whole, rows }) => ({ whole, rows })),
  }
}

function ofXml(bytes: Buffer, rowNames: readonly string[]): SheetContent {
  const { listener, whole, rows } = xmlRecords(rowNames)
  const reader = xmlReader(listener)
  // Its bytes decide: a file that was saved again still declares the encoding that it had before.
  const text = decoded(bytes)
  if (text === null) throw new BusinessError('invalid', '文件的编码无法识别，请另存为 UTF-8 后再上传')
  reader.write(text)
  reader.end()
  return { texts: [], codes: [], xml: [{ whole, rows }] }
}

/**
 * Reads a PDF, an OFD, an XML or a picture, whatever its name; in XML the elements named in `rowNames` are a list. For
 * any other file it gives the kind of content (`other`).
 */
export async function sheetContent(
  bytes: Buffer,
  rowNames: readonly string[],
): Promise<SheetContent | { readonly other: Content }> {
  const content = contentOf(bytes)
  switch (content) {
    case 'pdf':
      return ofPdf(bytes)
    case 'ofd':
      return ofOfd(bytes, rowNames)
    case 'xml':
      return ofXml(bytes, rowNames)
    case 'picture':
      return { texts: [], codes: await codesOf(openPicture(bytes)), xml: [] }
    default:
      return { other: content }
  }
}
