import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawCode } from './code-picture.ts'
import { isDragged, readDrag } from './drag.ts'
import { alphabet, glyphs } from './glyphs.ts'
import { drawPuzzle, puzzleSize } from './puzzle-picture.ts'

const hasOcr = spawnSync('tesseract', ['--version']).status === 0

describe('the picture of characters', () => {
  it('has four characters of its alphabet, none easily confused with another', async () => {
    const drawn = await Promise.all(Array.from({ length: 40 }, () => drawCode()))
    const answers = drawn.map(({ answer }) => answer)
    for (const answer of answers) expect(answer).toMatch(/^[3-9A-Z]{4}$/)
    expect(new Set(answers).size).toBeGreaterThan(35)
    for (const confusing of '0ODQ1IL2Z5S8BV') expect(alphabet).not.toContain(confusing)
    for (const strokes of Object.values(glyphs)) expect(strokes.flat().length).toBeGreaterThan(1)
  })

  it('never draws the same characters alike, and is a PNG that unpacks to its pixels', async () => {
    const [one, other] = [(await drawCode('HAKE')).png, (await drawCode('HAKE')).png]
    expect(one.equals(other)).toBe(false)
    const { data, info } = await sharp(one).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, data.length]).toEqual([150, 56, 56 * 150 * info.channels])
    expect((await sharp(one).metadata()).format).toBe('png')
    // Pixels alone: no words that would give the answer away, and no more bytes than a sign-in page should load.
    for (const chunk of ['tEXt', 'iTXt', 'zTXt', 'eXIf']) expect(one.includes(chunk)).toBe(false)
    expect(one.length).toBeLessThan(30_000)
  })

  it.skipIf(!hasOcr)('is read by a plain OCR fewer than one time in five', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'captcha-'))
    try {
      const drawn = await Promise.all(
        Array.from({ length: 50 }, async (_, at) => ({ ...(await drawCode()), file: path.join(folder, `${at}.png`) })),
      )
      for (const { file, png } of drawn) writeFileSync(file, png)
      // One process start for all; a page of its output ends with a form feed.
      const list = path.join(folder, 'all.txt')
      writeFileSync(list, drawn.map(({ file }) => file).join('\n'))
      const said = spawnSync('tesseract', [list, '-', '--psm', '7'], {
        encoding: 'utf8',
        env: { ...process.env, OMP_THREAD_LIMIT: '1' },
      }).stdout.split('\f')
      const read = drawn.filter(({ answer }, at) => said[at]?.replace(/\W/g, '').toUpperCase() === answer)
      expect(said.length).toBeGreaterThanOrEqual(drawn.length)
      expect(read.length).toBeLessThan(10)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the puzzle', () => {
  // Thirty pictures take some time on a busy machine.
  it("has its hole inside the picture and away from the piece's start", async () => {
    for (let count = 0; count < 30; count++) {
      const { x, y, piece, background } = await drawPuzzle()
      expect(x).toBeGreaterThan(puzzleSize.piece)
      expect(x + puzzleSize.piece).toBeLessThanOrEqual(puzzleSize.width)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y + puzzleSize.piece).toBeLessThanOrEqual(puzzleSize.height)
      const pixels = await sharp(piece).raw().toBuffer()
      expect(pixels.length).toBe(puzzleSize.piece ** 2 * 4)
      expect(pixels.some((part, at) => at % 4 === 3 && part === 0)).toBe(true)
      expect(pixels.some((part, at) => at % 4 === 3 && part === 255)).toBe(true)
      const { width, height } = await sharp(background).metadata()
      expect([width, height]).toEqual([puzzleSize.width, puzzleSize.height])
      expect(background.length).toBeLessThan(100_000)
    }
  })

  it.each([
    '',
    'x',
    'null',
    '[]',
    '{}',
    '{"x":1}',
    '{"x":"1","track":[]}',
    '{"x":1,"track":[[1,2]]}',
    '{"x":1e999,"track":[]}',
  ])('is not opened by %s', text => expect(isDragged(readDrag(text), 1, false)).toBe(false))

  it('can be solved with the arrow keys as well: even steps at uneven moments', () => {
    const track = Array.from({ length: 31 }, (_, n) => [n * 33 + (n % 4), n * 5, 0])
    expect(isDragged(readDrag(JSON.stringify({ x: 150, track })), 148, false)).toBe(true)
  })
})
