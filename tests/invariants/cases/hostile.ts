import type { Schema } from '#server/api/openapi/describe.ts'
import type { Chance } from './random.ts'
import type { Seen } from './calls.ts'

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: [deep(levels - 1)] })

/**
 * Values no page sends: wrong types, lengths at and beyond every limit, numbers, dates and characters that break
 * naive code.
 */
const things = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  -0,
  [],
  {},
  [[]],
  [null],
  [{}],
  [1, 'a'],
  { length: 5 },
  [{ sn: {} }],
]
const figures =
  '0|-1|-0|00|1e5|1e400|NaN|Infinity|0x10|١٢|１２|1,000|+5|.5|5.|99999999999999|999999999999999999|' +
  `9223372036854775807|9223372036854775808|
123456789012345678901234567890|0.001|0.0001|0.00000000001|` +
  '99999999999999.9999|-99999999999999'
const days =
  '2026-02-30|0000-00-00|0001-01-01|9999-12-31|9999-12-31T23:59:59Z|+275760-09-13|-000001-01-01|' +
  '2026-01-01T00:00:00+99:99|294277-01-01|infinity|now|epoch'
const tricks =
  `' or 1=1 --|"; drop table document; --|%|_|\\|%%%___\\|$1|\${1}|{{7*7}}|<script>alert(1)</script>|=cmd!A1|` +
  `@SUM(1)|../../etc/passwd|..%2f..%2fetc%2fpasswd|
C:\\windows|file:///etc/passwd|` +
  'http://169.254.169.254/latest/meta-data|//evil|javascript:alert(1)|__proto__|constructor|toString|' +
  'hasOwnProperty|null|undefined|true|false|[object Object]'
const nested =
  '[|[]|[[]]|[1|{}|{"a":|[null]|[{}]|[{"sn":null}]|[{"line_no":-1}]|[{"line_no":1},{"line_no":1}]|"x"|' +
  '[{"quantity":{"$gt":0}}]|[{"sn":{"toString":1}}]|["\\u0000"]'
const words = 'draft|deleted|reversed|own|counterparty|H|P|D01|-sn|sn,sn,sn|-|,'
const scans =
  '(01)06901234567892(17)261231(10)A|010690123456789217261231\u001d10AB|]d201|(01)|\u001d\u001d|' +
  '+A99912345/$$|http://id.gs1.org/01/09506000134352'
const letters = [
  '',
  ' ',
  '\t',
  '\n',
  '\u202e反',
  '\ufeff',
  '\u0000',
  '\ud800',
  '\u007f\u0001',
  'e\u0301'.repeat(60),
  '👩‍👩‍👧‍👦'.repeat(20),
  '0'.repeat(2000),
]
const big: readonly (() => unknown)[] = [
  () => 'a'.repeat(201),
  () => '长'.repeat(5001),
  () => 'x'.repeat(100_000),
  () => deep(5),
  () => deep(11),
  () => Array.from({ length: 600 }, (_, at) => `U${at}`),
  () => Array.from({ length: 300 }, (_, at) => ({ line_no: at, quantity: '1' })),
  () => ({ toString: 1, valueOf: 2 }),
  () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
]
const evil: readonly (() => unknown)[] = [
  ...[
    ...things,
    ...letters,
    ...[figures, days, tricks, nested, words, scans].flatMap(text => text.replaceAll('\n', '').split('|')),
  ].map(value => () => value),
  ...big,
]

export const evilValue = (chance: Chance): unknown => structuredClone(chance.one(evil)())

/** A value matching the schema: one seen under that name, or one of its type. */
export function plausible(chance: Chance, seen: Seen, name: string, schema: Schema): unknown {
  const choices = schema.enum as readonly unknown[] | undefined
  if (choices?.length) return chance.one(choices)
  if (schema.type === 'array') {
    const items = (schema.items ?? {}) as Schema
    const most = chance.between(1, 3)
    return Array.from({ length: most }, () => plausible(chance, seen, name, items))
  }
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries((schema.properties ?? {}) as Record<string, Schema>)
        .filter(() => chance.yes(0.7))
        .map(([key, part]) => [key, plausible(chance, seen, key, part)]),
    )
  const known = seen.one(chance, name)
  if (known !== null && chance.yes(0.85)) return known
  if (schema.type === 'boolean') return chance.yes(0.5)
  if (schema.type === 'integer') return chance.between(0, 5)
  if (schema.format === 'date') return chance.one(['2026-01-31', '2025-12-01', '2027-06-30', '2024-02-29'])
  if (schema.format === 'date-time') return '2026-01-31T08:00:00Z'
  if (typeof schema.pattern === 'string' && schema.pattern.includes('\\d{1,14}'))
    return chance.one(['1', '2.5', '100', '0'])
  return chance.one(['试', 'A1', '1', '20260101'])
}

/** Corrupts one to three places of a body, at any depth. */
export function spoil(chance: Chance, body: Record<string, unknown>): Record<string, unknown> {
  const copy = structuredClone(body)
  for (let times = chance.between(1, 3); times > 0; times--) spoilOne(chance, copy)
  return copy
}

function spoilOne(chance: Chance, place: Record<string, unknown> | unknown[]): void {
  const keys = Object.keys(place)
  if (keys.length === 0) {
    if (!Array.isArray(place)) place[chance.one(['sn', 'lines', 'version', '__proto__', 'x'])] = evilValue(chance)
    return
  }
  const key = chance.one(keys) as keyof typeof place
  const part = place[key] as unknown
  if (typeof part === 'object' && part !== null && chance.yes(0.75)) return spoilOne(chance, part as unknown[])
  ;(place as Record<string, unknown>)[key as string] = evilValue(chance)
}
