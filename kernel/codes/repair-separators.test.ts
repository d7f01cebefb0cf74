import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCode } from './parse-code.ts'
import type { ReadCode } from './parsed-code.ts'
import { processorSeconds } from '#tests/support/processor-time.ts'

const today = '2026-06-15'
const HEAD = '010690123456789217281231'

function read(input: string, known: readonly string[] = []): ReadCode {
  const code = parseCode(input, { today, knownNumbers: asked => asked.filter(({ value }) => known.includes(value)) })
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
    const code = read(`${HEAD}10LOT-ABCDEFG240ABCDEFGHIJKL\x1d21SN1`)
    expect(code).toMatchObject({ lot: 'LOT-ABCDEFG', serial: 'SN1', repaired: true })
    // Too long for a lot, and it may end before 240 or before 401.
    const asked = read(`${HEAD}10LOT-ABCDEFG2401234567890X\x1d21SN1`)
    expect(asked.candidates?.map(({ lot }) => lot)).toEqual(['LOT-ABCDEFG2', 'LOT-ABCDEFG'])
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

describe('identifiers of any length before others', () => {
  const facts = ({ lot, serial, expiryDate, productionDate, count }: ReadCode) => ({
    lot,
    serial,
    expiryDate,
    productionDate,
    count,
  })
  test('a serial before a lot is asked about', () => {
    const code = read(`${HEAD}21S00000110L2405`)
    expect(code).toMatchObject({ lot: null, serial: null, expiryDate: '2028-12-31' })
    expect(code.candidates?.map(it => [it.serial, it.lot])).toEqual([
      ['S00000110L2405', null],
      ['S000001', 'L2405'],
    ])
    expect(read(`${HEAD}21S00000110L2405`, ['L2405'])).toMatchObject({ serial: 'S000001', lot: 'L2405' })
    expect(read(`${HEAD}21S00000110L2405`, ['S00000110L2405'])).toMatchObject({ serial: 'S00000110L2405', lot: null })
  })
  test('each reading is offered as a code that says nothing else', () => {
    for (const reading of read(`${HEAD}21S00000110L2405`).candidates ?? []) {
      const chosen = read(reading.text)
      expect(chosen.candidates).toBeUndefined()
      expect(facts(chosen)).toEqual(facts(reading))
    }
  })

  test('a lot of a year and a month before a serial is asked about: its 21 may be a day', () => {
    for (const [lot, serial] of [
      ['L2405', 'S0001'],
      ['2405', 'S0001'],
      ['202405', '0001'],
      ['2504141', '2504215'],
    ]) {
      const meant = [lot, serial]
      expect(read(`${HEAD}10${lot}21${serial}`).candidates?.map(it => [it.lot, it.serial])).toContainEqual(meant)
    }
    expect(read(`${HEAD}21D87163${'10'}20241014`).candidates?.map(it => it.lot)).toContain('20241014')
  })
  test('a short serial before a lot is read as the standard says, with a warning', () => {
    const code = read(`${HEAD}21ZU10L2407`)
    expect(code).toMatchObject({ serial: 'ZU10L2407', lot: null })
    expect(code.warnings.join()).toContain('若标签上另有批号')
  })
  test('the contents of a box and their number are told apart', () => {
    const box = `0012345678901234567502${'06901234567892'}`
    expect(read(`${box}372410LOT1`)).toMatchObject({ di: '06901234567892', count: 24, lot: 'LOT1', repaired: true })
    const asked = read(`${box}1728123110LOT1233724`)
    expect(asked.candidates?.map(it => [it.lot, it.count])).toContainEqual(['LOT123', 24])
  })

  const letter = fc.constantFrom(...'ABCDEFGHJKLMNPRSTUVWXYZ')
  /** As labels have them: two letters, digits, and a letter at the end. */
  const number = fc.tuple(letter, letter, fc.stringMatching(/^\d{2,6}$/), letter).map(parts => parts.join(''))
  const day = fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
    .map(numbers => numbers.map(n => String(n).padStart(2, '0')).join(''))
  const part = (ai: string, value: fc.Arbitrary<string>) => value.map(it => [ai, it] as const)
  const count = fc.integer({ min: 1, max: 500 }).map(String)
  const parts = [
    part('10', number),
    part('21', number),
    part(
      '17',
      day.map(it => `28${it}`),
    ),
    part(
      '11',
      day.map(it => `25${it}`),
    ),
    part('240', number),
    part('30', count),
    part('710', number),
  ]
  const product = ['01', '06901234567892'] as const
  const labels = fc
    .shuffledSubarray(parts, { minLength: 1, maxLength: 5 })
    .chain(some => fc.tuple(...some))
    .chain(some => fc.nat(some.length).map(at => some.toSpliced(at, 0, product)))
  test('in whatever order they stand, what is meant is chosen, or offered, or the scanner is named', () => {
    let chosen = 0
    fc.assert(
      fc.property(labels, groups => {
        const meant = read(groups.map(([ai, value]) => `(${ai})${value}`).join(''))
        const code = parseCode(`]C1${groups.map(group => group.join('')).join('')}`, { today })
        if (!code.ok) expect(code.error).toBe('gs1.separatorLost')
        else expect((code.candidates ?? [code]).map(facts)).toContainEqual(facts(meant))
        if (code.ok && code.candidates === undefined) chosen += 1
      }),
      { numRuns: 2000 },
    )
    expect(chosen).toBeGreaterThan(200)
  })
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
