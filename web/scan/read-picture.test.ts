import { toBuffer } from 'bwip-js/node'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { prepareZXingModule } from 'zxing-wasm/reader'
import { parseCode } from '#kernel/codes/parse-code.ts'
import { readPicture } from '#web/scan/read-picture.ts'

const UDI = '(01)06901234567892(17)280131(10)L20260131(21)S-7'
beforeAll(() => {
  const program = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
  prepareZXingModule({
    overrides: {
      wasmBinary: program.buffer.slice(program.byteOffset, program.byteOffset + program.length) as ArrayBuffer,
    },
  })
})

/** A label as a camera sees it: slightly rotated, on grey. */
async function pictureOf(bcid: string, text: string): Promise<ImageData> {
  const label = await toBuffer({ bcid, text, scale: 4, padding: 12, backgroundcolor: 'ffffff' })
  const { data, info } = await sharp(label)
    .rotate(7, { background: '#888888' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height, colorSpace: 'srgb' } as ImageData
}

describe('the camera', () => {
  it.each(['gs1datamatrix', 'gs1-128', 'gs1qrcode'])('reads a UDI from a %s as a scanner would send it', async bcid => {
    const [code] = await readPicture(await pictureOf(bcid, bcid === 'gs1-128' ? UDI.replace(/\(21\).*/, '') : UDI))
    expect(parseCode(code ?? '')).toMatchObject({
      ok: true,
      di: '06901234567892',
      lot: 'L20260131',
      expiryDate: '2028-01-31',
    })
  })

  it('reads an internal code, and nothing from an empty picture', async () => {
    const [code] = await readPicture(await pictureOf('code128', 'H01-000123'))
    expect(parseCode(code ?? '')).toMatchObject({ ok: true, text: 'H01-000123' })
    const blank = { data: new Uint8ClampedArray(64 * 64 * 4).fill(200), width: 64, height: 64, colorSpace: 'srgb' }
    expect(await readPicture(blank as ImageData)).toEqual([])
  })
})
