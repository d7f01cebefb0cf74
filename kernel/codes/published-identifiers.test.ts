import bwip from 'bwip-js/node'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assigned, everyNumber, valuesOf } from '#tests/support/identifier-values.ts'
import { standTogether } from './associations.ts'
import { valueFault } from './identifiers.ts'

/**
 * The table held against GS1's Barcode Syntax Dictionary (release 2026-01-27), as the label library carries it: it
 * refuses what the dictionary does not allow, by the name of its check.
 */
const dictionaryFault = (ai: string, value: string): string | null => labelFault(`(${ai})${value}`, false)
/** The same of a whole label; with `together` its parts must be those that stand beside one another as well. */
function labelFault(text: string, together: boolean): string | null {
  try {
    bwip.raw({ bcid: 'gs1-128', text, parse: false, lintreqs: together } as Parameters<typeof bwip.raw>[0])
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

const today = new Date().toISOString().slice(0, 10)

test('all 541 assigned identifiers are known, and no other', () => {
  const published = everyNumber.filter(ai => dictionaryFault(ai, '1') !== 'GS1unknownAI')
  expect(assigned.map(id => id.ai)).toEqual(published)
  expect(published).toHaveLength(541)
}, 60_000)

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

/** Faults of a label that has none but that its parts do not belong together. */
const APART = /^GS1(?:missingAIs|exclusiveAIs)$/
/** A value of each identifier that the dictionary allows. */
const fair = assigned.flatMap(id => {
  const value = fc.sample(valuesOf(id, 8), { numRuns: 400, seed: 1 }).find(each => {
    const fault = each === '' ? 'empty' : dictionaryFault(id.ai, each)
    return fault === null || APART.test(fault)
  })
  return value === undefined ? [] : [{ ai: id.ai, value }]
})

test('identifiers stand together as the dictionary says', () => {
  expect(fair.length).toBeGreaterThan(500)
  const [keys, others] = [/^(?:00|01|02|03|255|8006|8017|8018|8020|8026|415|30|37|21)$/, fair]
  const some = (list: typeof fair, maxLength: number) => fc.subarray(list, { minLength: 1, maxLength })
  const label = fc
    .tuple(
      some(
        fair.filter(({ ai }) => keys.test(ai)),
        3,
      ),
      some(others, 2),
    )
    .map(parts => parts.flat())
  let fine = 0
  fc.assert(
    fc.property(label, parts => {
      fc.pre(new Set(parts.map(({ ai }) => ai)).size === parts.length)
      const fault = labelFault(parts.map(({ ai, value }) => `(${ai})${value}`).join(''), true)
      if (fault !== null) expect(fault).toMatch(APART)
      expect([fault, standTogether(parts)]).toEqual([fault, fault === null])
      if (fault === null) fine += 1
    }),
    { numRuns: 4000 },
  )
  expect(fine).toBeGreaterThan(200)
})
