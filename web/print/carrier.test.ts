import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { digitalLink, gs1Bracketed } from '#kernel/codes/encode.ts'
import { type Correction, drawCode } from '#web/print/labels/draw-barcode.ts'
import type { Label } from '#kernel/print/label-data.ts'
import { fitCode } from '#web/print/labels/fit-barcode.ts'
import { type LabelSheet, labelSheets } from '#kernel/print/label-formats.ts'
import { sheetsOf } from '#web/print/labels/label-limits.ts'

/** The printed code is what a scanner reads: the picture is rendered and decoded. */
beforeAll(async () => {
  const program = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
  await prepareZXingModule({ overrides: { wasmBinary: program.buffer as ArrayBuffer }, fireImmediately: true })
})

const parts = [
  { ai: '01', value: '06901234567892' },
  { ai: '17', value: '281231' },
  { ai: '10', value: 'LOT-2026/A' },
  { ai: '21', value: 'YN0001' },
]

async function read(as: string, text: string, correction: Correction = 'M'): Promise<string | undefined> {
  const drawn = drawCode(as, text, correction)
  if ('message' in drawn) throw new Error(drawn.message)
  const png = await sharp(Buffer.from(drawn.svg), { density: 300 })
    .flatten({ background: 'white' })
    .extend({ top: 30, bottom: 30, left: 30, right: 30, background: 'white' })
    .png()
    .toBuffer()
  const [found] = await readBarcodes(new Blob([new Uint8Array(png)]), { tryHarder: true, textMode: 'Plain' })
  return found?.text
}

test('Code 128 of a number', async () => {
  expect(await read('code128', 'RK2611210001')).toBe('RK2611210001')
})
test('the label of a location decodes to the location, as a square code and as a bar code', async () => {
  const place = { key: '1', code: 'A-01-02-03-04', gs1: null, link: null, ean: null } as Label
  for (const sheet of labelSheets)
    for (const carrier of sheet.codes) {
      const fitted = fitCode(place, carrier, sheet.sizes[0]!, 'M')
      if ('problem' in fitted) throw new Error(fitted.problem)
      expect(await read(fitted.as, fitted.text)).toBe('A-01-02-03-04')
    }
})
test('QR code of a number, and of a Digital Link', async () => {
  expect(await read('qrcode', 'CK2611210001')).toBe('CK2611210001')
  const link = digitalLink(parts)
  expect(await read('qrcode', link)).toBe(link)
})
test.each(['gs1datamatrix', 'gs1-128'])(
  '%s of product, day made, expiry, lot and piece; FNC1 ends the lot, nothing ends the last',
  async as => {
    // In any input order, elements of fixed length come first.
    const given = [parts[0]!, parts[3]!, parts[2]!, { ai: '11', value: '260101' }, parts[1]!]
    const inOrder = gs1Bracketed([given[0]!, given[3]!, given[4]!, given[2]!, given[1]!])
    expect(inOrder).toMatch(/^\(01\)\d+\(11\)\d+\(17\)\d+\(10\)[^(]+\(21\)/)
    expect(await read(as, inOrder)).toBe(
      '0106901234567892' + '11260101' + '17281231' + '10LOT-2026/A\u001D' + '21YN0001',
    )
  },
)
test('what cannot be rendered gives a message, not an exception', () => {
  expect(drawCode('gs1datamatrix', '(01)06901234567893')).toHaveProperty('message')
})

describe('a code on a label', () => {
  const label = (more: Partial<Label> = {}) =>
    ({
      key: '1',
      code: 'H01-26112200001',
      gs1: gs1Bracketed(parts),
      link: digitalLink(parts),
      ean: '6901234567892',
      ...more,
    }) as Label
  const lot = label({ gs1: gs1Bracketed(parts.slice(0, 3)) })
  const [bars, squares] = labelSheets as [LabelSheet, LabelSheet]
  const size = (sheet: LabelSheet, width: number) => sheet.sizes.find(each => each.width === width)!
  const code = (sheet: LabelSheet, name: string) => sheet.codes.find(each => each.label.startsWith(name))!

  test('bars too narrow for a scanner become a DataMatrix; on a wide label they stay bars', () => {
    expect(fitCode(label(), code(bars, 'GS1-128'), size(bars, 50), 'M')).toMatchObject({ as: 'gs1datamatrix' })
    expect(fitCode(lot, code(bars, 'GS1-128'), size(bars, 100), 'M')).toMatchObject({ as: 'gs1-128' })
    expect(fitCode(label(), code(bars, 'Code 128'), size(bars, 60), 'M')).toMatchObject({
      as: 'code128',
      text: 'H01-26112200001',
    })
  })

  test("goods without a UDI-DI show the organisation's own code", () => {
    const none = label({ gs1: null, link: null })
    expect(fitCode(none, code(bars, 'GS1 DataMatrix'), size(bars, 60), 'M')).toMatchObject({
      as: 'code128',
      text: none.code,
    })
    expect(fitCode(none, code(squares, 'GS1'), size(squares, 60), 'M')).toMatchObject({ as: 'qrcode', text: none.code })
  })

  test('the usual label has space for the complete link of a piece', () => {
    const link = digitalLink([...parts, { ai: '11', value: '260214' }])
    expect(fitCode(label({ link }), code(squares, 'GS1'), size(squares, 40), 'M')).toMatchObject({ as: 'qrcode' })
    expect(drawCode('qrcode', 'A')).toMatchObject({ modules: 21 + 2 * 4 })
  })

  test('a QR code whose dots would be too small is refused with a message', () => {
    const long = label({ link: `${digitalLink(parts)}&240=${'X'.repeat(30)}&11=260214` })
    expect(fitCode(long, code(squares, 'GS1'), size(squares, 30), 'Q')).toEqual({
      problem: '二维码内容过长，请更换更大标签',
    })
    expect(fitCode(long, code(squares, 'GS1'), size(squares, 80), 'Q')).toMatchObject({ as: 'qrcode' })
  })

  test.each([
    ['GS1-128', 100],
    ['Code 128', 60],
    ['EAN-13', 50],
    ['GS1 DataMatrix', 50],
  ])('%s is read as it is printed, %i mm wide, at 203 dots an inch', async (name, width) => {
    const fitted = fitCode(name === 'GS1-128' ? lot : label(), code(bars, name), size(bars, width), 'M')
    if ('problem' in fitted) throw new Error(fitted.problem)
    expect(fitted.as).toBe(code(bars, name).as)
    const drawn = drawCode(fitted.as, fitted.text)
    if ('message' in drawn) throw new Error(drawn.message)
    const dots = (mm: number) => Math.round((mm / 25.4) * 203)
    const png = await sharp(Buffer.from(drawn.svg), { density: 600 })
      .resize(dots(fitted.width), dots(fitted.height), { fit: 'fill' })
      .flatten({ background: 'white' })
      .extend({ top: 20, bottom: 20, left: 20, right: 20, background: 'white' })
      .png()
      .toBuffer()
    const [found] = await readBarcodes(new Blob([new Uint8Array(png)]), { tryHarder: true })
    expect(found?.text.replaceAll(/[()]|\u001D/g, '')).toBe(fitted.text.replaceAll(/[()]/g, ''))
  })
})

test('labels fill sheets of A4 from the first free position', () => {
  expect(sheetsOf(['a', 'b', 'c'], 2, 2)).toEqual([
    [null, 'a'],
    ['b', 'c'],
  ])
  expect(sheetsOf(['a'], 24, 1)).toEqual([['a']])
})

test('a QR code for wet goods also decodes', async () => {
  expect(await read('qrcode', 'CK2611210001', 'Q')).toBe('CK2611210001')
})
