import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { digitalLink, gs1Bracketed } from '#kernel/codes/generate.ts'
import { drawCode } from '#web/print/draw-code.ts'

/** What is printed is what a scanner reads: the picture is rendered and decoded. */
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

async function read(as: string, text: string): Promise<string | undefined> {
  const svg = drawCode(as, text)
  if (typeof svg !== 'string') throw new Error(svg.message)
  const png = await sharp(Buffer.from(svg), { density: 300 })
    .flatten({ background: 'white' })
    .extend({ top: 30, bottom: 30, left: 30, right: 30, background: 'white' })
    .png()
    .toBuffer()
  const [found] = await readBarcodes(new Blob([new Uint8Array(png)]), { tryHarder: true })
  return found?.text
}

test('Code 128 of a number', async () => {
  expect(await read('code128', 'RK2611210001')).toBe('RK2611210001')
})
test('QR code of a number, and of a Digital Link', async () => {
  expect(await read('qrcode', 'CK2611210001')).toBe('CK2611210001')
  const link = digitalLink(parts)
  expect(await read('qrcode', link)).toBe(link)
})
test.each(['gs1datamatrix', 'gs1-128'])('%s of product, expiry, lot and piece', async as => {
  const text = (await read(as, gs1Bracketed(parts))) ?? ''
  expect(text.replaceAll(/[()]|\u001D/g, '')).toBe('0106901234567892' + '17281231' + '10LOT-2026/A' + '21YN0001')
})
test('what cannot be drawn is said, not thrown', () => {
  expect(drawCode('gs1datamatrix', '(01)06901234567893')).toHaveProperty('message')
})
