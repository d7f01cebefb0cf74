import fc from 'fast-check'
import { addDays } from '#kernel/values/date.ts'
import { taxRates } from '#kernel/values/tax-amounts.ts'
import type { FieldKind, FieldSpec, Fields } from '#kernel/definition/field.ts'
import { parseInteger } from '#kernel/values/integer.ts'

const figure = (places: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 10 ** places - 1 }))
    .map(([whole, part]) => `${whole}.${String(part).padStart(places, '0')}`)
const word = fc.stringMatching(/^[\u4e00-\u9fa5A-Za-z0-9]{1,12}$/)
const aDay = fc.integer({ min: -700, max: 700 }).map(days => addDays('2026-06-15', days))

/** A generator for each field kind: values as a client would send them. A new kind does not compile without one. */
const values: Readonly<Record<FieldKind, (field: FieldSpec) => fc.Arbitrary<unknown>>> = {
  text: field => (field.match ? fc.constant(null) : word.map(text => text.slice(0, parseInteger(field.max ?? 12)))),
  longText: () => word,
  day: () => aDay,
  instant: () => aDay.map(day => `${day}T08:30:00.000Z`),
  count: () => fc.integer({ min: 0, max: 9_999 }).map(String),
  quantity: () => figure(3),
  price: () => figure(4),
  amount: () => figure(2),
  rate: () => fc.integer({ min: 0, max: 9_999 }).map(part => `0.${String(part).padStart(4, '0')}`),
  taxRate: () => fc.constantFrom(...taxRates).map(String),
  flag: () => fc.constantFrom('true', 'false', true, false),
  pick: field => fc.constantFrom(...Object.keys(field.choices ?? {})),
  ref: () => fc.integer({ min: 1, max: 1_000_000 }).map(String),
  files: () => fc.array(word, { maxLength: 3 }),
  codes: () => fc.array(word, { maxLength: 5 }),
}

/** Rows that a definition's fields allow, with some fields left out. */
export const arbitraryRow = (fields: Fields): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries(
      Object.entries(fields)
        .filter(([, field]) => !field.readOnly)
        .map(([name, field]) => [name, values[field.as](field)]),
    ),
    { requiredKeys: [] },
  )
