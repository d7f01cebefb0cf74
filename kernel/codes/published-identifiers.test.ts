import bwip from 'bwip-js/node'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gs1CheckPair, gtinCheckDigit } from './check-digit.ts'
import { identifierNamed, valueFault } from './identifiers.ts'
import type { Identifier } from './identifiers.ts'
import type { ValueRule } from './value-rules.ts'

/**
 * The table held against GS1's Barcode Syntax Dictionary (release 2026-01-27), as the label library carries it: it
 * refuses what the dictionary does not allow, by the name of its check.
 */
const dictionaryFault = (ai: string, value: string): string | null => {
  try {
    bwip.raw({ bcid: 'gs1-128', text: `(${ai})${value}`, parse: false })
    return null
  } catch (error) {
    return /GS1\w+/.exec(String(error))?.[0] ?? String(error)
  }
}

/**
 * Faults that a scan must find too. The others are about the meaning of a label (countries, currencies, coupons,
 * percent signs in addresses): goods are not turned away for them.
 */
const JUDGED = [
  /^GS1(?:valueTooShort|valueTooLong|notNumeric|zeroRequired|biologicalSexCode)$/,
  /BadCSET|Checksum|CheckChar|Month|Day$|Date|Hour|Minute|Second|Piece/i,
]
/** Here 9999 means no time; the dictionary does not say so, and a scan allows any number. */
const TIMELESS = /^432[45]$/

const everyNumber = [2, 3, 4].flatMap(digits =>
  Array.from({ length: 10 ** digits }, (_, n) => String(n).padStart(digits, '0')),
)
const today = new Date().toISOString().slice(0, 10)
const assigned = everyNumber.flatMap(ai => identifierNamed(ai) ?? [])

test('all 541 assigned identifiers are known, and no other', () => {
  const published = everyNumber.filter(ai => dictionaryFault(ai, '1') !== 'GS1unknownAI')
  expect(assigned.map(id => id.ai)).toEqual(published)
  expect(published).toHaveLength(541)
}, 60_000)

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`))
/** Without brackets, which would begin another identifier. */
const text = (min: number, max: number) => fc.stringMatching(new RegExp(`^[!"%-')-?A-Z_a-z]{${min},${max}}$`))
const number = (min: number, max: number, width = 2) =>
  fc.integer({ min, max }).map(n => String(n).padStart(width, '0'))
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map(all => all.join(''))

/** Values near the border of each rule: most hold, some do not. */
const near: Readonly<Record<ValueRule, (length: number) => fc.Arbitrary<string>>> = {
  zero: () => digits(1, 1),
  check: length => digits(length - 1, length - 1).map(body => body + (gtinCheckDigit(body) ?? '')),
  pair: () => text(1, 23).map(body => body + (gs1CheckPair(body) ?? '')),
  day: () => joined(number(0, 99), number(0, 13), number(0, 32)),
  fullday: () => joined(number(0, 99), number(0, 13), number(0, 32)),
  birthday: () => joined(number(1890, 2040, 4), number(0, 13), number(0, 32)),
  time: () => joined(number(0, 25), number(0, 61)),
  hour: () => number(0, 25),
  sixty: () => number(0, 61),
  piece: () => joined(number(0, 4), number(0, 4)),
  sequence: () => joined(number(0, 4, 1), fc.constantFrom('/', '-'), number(0, 4, 1)),
  sex: () => digits(1, 1),
}

const valuesOf = (id: Identifier): fc.Arbitrary<string> =>
  joined(
    ...id.components.map(({ set, min, max, rule }) => {
      const any = set === 'N' ? digits(min, max) : set === 'X' ? text(min, max) : text(min, max)
      return rule === null ? any : fc.oneof(any, { weight: 4, arbitrary: near[rule](max) })
    }),
  )

test.each(assigned.map(id => [id.ai, id] as const))('(%s) is judged as the dictionary judges it', (ai, id) => {
  fc.assert(
    fc.property(valuesOf(id), value => {
      const theirs = value === '' ? 'GS1valueTooShort' : dictionaryFault(ai, value)
      if (theirs === null) expect(valueFault(id, value, today)).toBeNull()
      else if (JUDGED.some(fault => fault.test(theirs)) && !TIMELESS.test(ai))
        expect([theirs, valueFault(id, value, today)]).not.toEqual([theirs, null])
    }),
    { numRuns: 12 },
  )
})
