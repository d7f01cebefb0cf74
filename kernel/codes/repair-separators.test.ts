import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCode } from './parse-code.ts'
import type { ReadCode } from './parsed-code.ts'
import { processorSeconds } from '../../tests/support/processor-time.ts'

const today = '2026-06-15'
const HEAD = '010690123456789217281231'

function read(input: string, lots: readonly string[] = []): ReadCode {
  const code = parseCode(input, { today, knownLots: () => lots })
  if (!code.ok) throw new Error(`${code.error} ${code.message}`)
  return code
}

describe('one reading is clearly best', () => {
  test('a lot followed by an expiry, the classic case', () => {
    expect(read('010690123456789210LOT12317281231')).toMatchObject({
      lot: 'LOT123',
      expiryDate: '2028-12-31',
      repaired: true,
    })
  })
  test('a lot and a serial that are too long to be one lot', () => {
    const code = read(`${HEAD}10ABCDEFGHIJKL21SERIAL000456`)
    expect(code).toMatchObject({ lot: 'ABCDEFGHIJKL', serial: 'SERIAL000456', repaired: true })
    expect(code.warnings.join()).toContain('分隔符')
    expect(code.candidates).toBeUndefined()
  })
  test('a lot known to the warehouse decides where to cut', () => {
    expect(read(`${HEAD}10LOT12321SN456`, ['LOT123'])).toMatchObject({ lot: 'LOT123', serial: 'SN456', repaired: true })
    expect(read(`${HEAD}10LOT12321SN456`, ['LOT12321SN456'])).toMatchObject({
      lot: 'LOT12321SN456',
      serial: null,
      repaired: false,
      warnings: [],
    })
  })
  test('a separator lost in one place only', () => {
    const code = read(`${HEAD}10LOT-ABCDEFG2401234567890X\x1d21SN1`)
    expect(code).toMatchObject({ lot: 'LOT-ABCDEFG', serial: 'SN1', repaired: true })
  })
})

describe('a string that is legal without repair', () => {
  test('a lot made of a date is left alone, with a warning', () => {
    expect(read(`${HEAD}1020210305`)).toMatchObject({ lot: '20210305', repaired: false, warnings: [] })
    const code = read(`${HEAD}10YC20210305`)
    expect(code).toMatchObject({ lot: 'YC20210305', serial: null, repaired: false })
    expect(code.warnings.join()).toContain('序列号')
  })
  test('with separators present, nothing is guessed', () => {
    expect(read(`${HEAD}10LOT12321SN456\x1d2401`, ['LOT123'])).toMatchObject({ lot: 'LOT12321SN456', repaired: false })
  })
})

describe('several readings are equally good', () => {
  test('the user chooses; the result holds only what all readings agree on', () => {
    const code = read(`${HEAD}10LOT12321SN456`)
    expect(code).toMatchObject({
      di: '06901234567892',
      expiryDate: '2028-12-31',
      lot: null,
      serial: null,
      repaired: false,
    })
    expect(code.candidates?.map(it => [it.lot, it.serial])).toEqual([
      ['LOT12321SN456', null],
      ['LOT123', 'SN456'],
    ])
  })
  test('a lot and a serial that both contain 21', () => {
    const code = read(`${HEAD}10AAAA21BBBB21CCCC21DDDD`)
    expect(code.candidates?.length).toBeGreaterThan(1)
    expect(code.lot).toBeNull()
  })
})

test('a string with no legal cut is refused, naming the lost separator', () => {
  const code = parseCode(`${HEAD}10${'X'.repeat(30)}`, { today })
  expect(code).toMatchObject({ ok: false, error: 'gs1.badLength' })
})

test('whatever lot and serial were printed, the true cut is chosen or offered', () => {
  const word = (min: number) => fc.stringMatching(new RegExp(`^[A-Z][A-Z0-9]{${min},11}$`))
  fc.assert(
    fc.property(word(3), word(3), (lot, serial) => {
      const code = read(`${HEAD}10${lot}21${serial}`, [lot])
      const readings = code.candidates ?? [code]
      expect(readings.some(it => it.lot === lot && it.serial !== null && serial.startsWith(it.serial))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('hostile strings cannot make the search run without limit', async () => {
  const searched = () => {
    for (const filler of ['10', '21', '2110', '240241', '9110', '17281231', '1', '3012', '23510']) {
      parseCode(`0106901234567892${filler.repeat(512)}`.slice(0, 512), { today })
      parseCode(`0106901234567892${filler.repeat(512)}`.slice(0, 110), { today })
    }
  }
  expect(await processorSeconds(searched)).toBeLessThan(30)
})
