import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hibcCheckCharacter, isHibcDi } from './hibc-code.ts'
import { mergeScans } from './merge-symbols.ts'
import { parseCode } from './parse-code.ts'
import type { ParsedCode } from './parsed-code.ts'
import { isDay } from '#kernel/values/date.ts'
import { processorSeconds } from '#tests/support/processor-time.ts'

/** Conditions that hold for the answer to any string. */
function expectSound(input: string, code: ParsedCode): void {
  expect(code.raw).toBe(input)
  if (!code.ok) {
    expect(code.error).toMatch(/^(?:code|gs1|gtin|link|ma|hibc|merge)\.[a-zA-Z]+$/)
    expect(code.message).toMatch(/[\u4e00-\u9fff].*。$/s)
    expect(code.message.isWellFormed()).toBe(true)
    expect(code.message.length).toBeLessThan(400)
    return
  }
  for (const reading of [code, ...(code.candidates ?? [])]) {
    if (reading.di !== null && !isHibcDi(reading.di))
      expect(reading.di).toMatch(/^(?:\d{14}|MA\.[^.]+\.[^.]+\.[^.]+\.[^.]+)$/)
    for (const day of [reading.productionDate, reading.expiryDate]) if (day !== null) expect(isDay(day)).toBe(true)
    expect(reading.elements.every(element => element.value !== '' && /[\u4e00-\u9fff]/.test(element.label))).toBe(true)
    expect(new Set(reading.elements.map(element => element.ai)).size).toBe(reading.elements.length)
  }
}

const bits = fc.constantFrom(
  '01',
  '06901234567892',
  '10',
  '17',
  '281231',
  '21',
  '11',
  '260100',
  '240',
  '8006',
  '00',
  '02',
  '37',
  '\x1d',
  ']C1',
  ']Q3',
  ']d1',
  ']E0',
  '(01)',
  '(10)',
  '(',
  ')',
  'MA.156.M0.100761.21234561',
  '.',
  'S1',
  'E220130',
  'https://id.gs1.org/',
  '/01/',
  '/10/',
  '?17=',
  '%',
  '%2F',
  '%E0',
  '<GS>',
  'A',
  'LOT',
  '\0',
  ' ',
  '\ud800',
  '批',
  'ＭＡ',
  '。',
  '\u200b',
  '__proto__',
  'constructor',
)
const nearlyCodes = fc.array(bits, { maxLength: 14 }).map(parts => parts.join(''))
const hibcParts = [
  '/',
  '$',
  '$$',
  '+',
  '3281231',
  '1228',
  '7',
  '805',
  '900010',
  '28365',
  '14D20281231',
  '16D',
  'S',
  'Q5',
  'L1',
  '',
]
const nearlyHibc = fc
  .tuple(fc.constantFrom('+A123BJC5D6E71', '+'), fc.array(fc.constantFrom(...hibcParts), { maxLength: 9 }))
  .map(([head, parts]) => head + parts.join(''))
  .map(body => body + (hibcCheckCharacter(body) ?? ''))
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary-ascii', maxLength: 80 }),
  nearlyCodes,
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map(units => String.fromCharCode(...units)),
  nearlyHibc,
)

test('every string gets a valid answer', () => {
  fc.assert(
    fc.property(anything, input => expectSound(input, parseCode(input, { today: '2026-06-15' }))),
    { numRuns: 5000 },
  )
})

test('reading the same string twice gives the same answer', () => {
  fc.assert(
    fc.property(nearlyCodes, input => {
      expect(parseCode(input)).toEqual(parseCode(input))
    }),
  )
})

test('any two scans merge or are refused', () => {
  fc.assert(
    fc.property(anything, anything, (a, b) => {
      const merged = mergeScans(parseCode(a), parseCode(b))
      if (!merged.ok) expect(merged.message).toMatch(/。$/)
    }),
    { numRuns: 2000 },
  )
})

test('ten megabytes of garbage are refused at once', async () => {
  const refused = () => {
    for (const unit of ['x', '\0', '\ud800', ' ', '10', '(', ']C1', '\x1d']) {
      const code = parseCode(unit.repeat(10_000_000 / unit.length))
      expect(code.ok ? '' : code.error).toBe('code.tooLong')
    }
  }
  expect(await processorSeconds(refused)).toBeLessThan(10)
})

test('an empty or useless context does no harm', () => {
  const context = { today: 'yesterday', inhouse: [], knownLots: () => [] }
  expect(parseCode('010690123456789217281231', context)).toMatchObject({ ok: true, expiryDate: '2028-12-31' })
})
