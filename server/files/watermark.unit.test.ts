import { Readable } from 'node:stream'
import { deflateSync } from 'node:zlib'
import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, it } from 'vitest'
import { picturesOnPages } from '#tests/support/picture.ts'
import { tester } from '#tests/support/sheets.ts'
import { watermarked } from './watermark.ts'

const mark = '澄岚医院 证照授权 2026-11-22'
const scan = async (...sizes: readonly [number, number][]): Promise<Buffer> => {
  const pdf = await PDFDocument.create()
  for (const size of sizes) pdf.addPage(size).drawRectangle({ x: 10, y: 10, width: 50, height: 50 })
  return Buffer.from(await pdf.save())
}
describe('the watermark of a PDF', () => {
  it('covers every page, whatever its size, and keeps the content under it', async () => {
    const before = await scan([595, 842], [842, 595], [595, 842])
    const bytes = await watermarked(Readable.from([before]), mark, tester)
    expect(await picturesOnPages(before)).toEqual([0, 0, 0])
    expect(await picturesOnPages(bytes!)).toEqual([1, 1, 1])
    const sizes = (await PDFDocument.load(bytes!)).getPages().map(page => page.getSize())
    expect(sizes.map(({ width, height }) => [width, height])).toEqual([
      [595, 842],
      [842, 595],
      [595, 842],
    ])
  })

  it('does not wait when a small file unpacks without end', async () => {
    // Object streams are unpacked before anything is drawn: half a megabyte becomes five hundred.
    const packed = deflateSync(Buffer.alloc(512 * 1024 * 1024, 32))
    const head =
      `%PDF-1.5\n1 0 obj\n<</Type /ObjStm /N 1 /First 5 /Filter /FlateDecode /Length ${packed.length}>>` + '\nstream\n'
    const bomb = Buffer.concat([
      Buffer.from(head, 'latin1'),
      packed,
      Buffer.from('\nendstream\nendobj\ntrailer <</Root 1 0 R>>\n%%EOF'),
    ])
    expect(bomb.length).toBeLessThan(2_000_000)
    expect(await watermarked(Readable.from([bomb]), mark, tester)).toBeNull()
  })

  it('is refused on files that are not PDF, and on a whole book', async () => {
    expect(await watermarked(Readable.from([Buffer.from('%PDF-1.7 page')]), mark, tester)).toBeNull()
    const book = await scan(...Array.from({ length: 201 }, () => [100, 100] as [number, number]))
    expect(await watermarked(Readable.from([book]), mark, tester)).toBeNull()
  })
})
