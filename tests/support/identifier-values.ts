import fc from 'fast-check'
import { gs1CheckPair, gtinCheckDigit } from '#kernel/codes/check-digit.ts'
import { identifierNamed, type Identifier } from '#kernel/codes/identifiers.ts'
import type { ValueRule } from '#kernel/codes/value-rules.ts'

/** Every number that may be an identifier. */
export const everyNumber = [2, 3, 4].flatMap(digits =>
  Array.from({ length: 10 ** digits }, (_, n) => String(n).padStart(digits, '0')),
)
export const assigned = everyNumber.flatMap(ai => identifierNamed(ai) ?? [])

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

/** Values of an identifier, right and wrong ones; parts of any length have `longest` characters at most. */
export const valuesOf = (id: Identifier, longest = Number.POSITIVE_INFINITY): fc.Arbitrary<string> =>
  joined(
    ...id.components.map(({ set, min, max, rule }) => {
      const most = Math.max(min, Math.min(max, longest))
      const any = set === 'N' ? digits(min, most) : text(min, most)
      return rule === null ? any : fc.oneof(any, { weight: 4, arbitrary: near[rule](max) })
    }),
  )
