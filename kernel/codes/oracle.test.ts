import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gtinCheckDigit } from './check-digit.ts'
import { gs1ElementString } from './encode.ts'
import type { Gs1Part } from './encode.ts'
import { parseCode } from './parse-code.ts'

interface OracleElement {
  readonly ai: string
  readonly data: unknown
  readonly raw?: string
  readonly isoDate: string
}
type Oracle = (code: string) => { readonly parsedCodeItems: readonly OracleElement[] }

// The package ships no types and only a CommonJS entry.
const { parseBarcode: oracle } = createRequire(import.meta.url)('gs1-barcode-parser-mod') as {
  readonly parseBarcode: Oracle
}

// The oracle reads the clock for its century window, so ours is set to the same day.
const today = new Date().toISOString().slice(0, 10)

const text = (max: number) => fc.stringMatching(new RegExp(`^[!"%-?A-Z_a-z]{1,${max}}$`))
const gtin = fc.stringMatching(/^[0-9]{12}[1-9]$/).map(body => body + (gtinCheckDigit(body) ?? ''))
const date = fc
  .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 28 }))
  .map(numbers => numbers.map(n => String(n).padStart(2, '0')).join(''))

const part = (ai: string, value: fc.Arbitrary<string>): fc.Arbitrary<Gs1Part> => value.map(it => ({ ai, value: it }))
const optional = fc.subarray([
  part('10', text(20)),
  part('21', text(20)),
  part('22', text(20)),
  part('240', text(30)),
  part('241', text(30)),
  part('250', text(30)),
  part('11', date),
  part('13', date),
  part('17', date),
  part('20', fc.stringMatching(/^\d\d$/)),
  part('714', text(20)),
  part('91', text(60)),
])
const label = fc
  .tuple(
    gtin,
    optional.chain(chosen => fc.tuple(...chosen)),
  )
  .map(([di, others]) => [{ ai: '01', value: di }, ...others])

test('well-formed symbols are read as an independent parser reads them', () => {
  fc.assert(
    fc.property(label, parts => {
      // A closing separator marks the end of the last group for both parsers.
      const code = `]d2${gs1ElementString(parts)}\x1d`
      const theirs = oracle(code).parsedCodeItems
      const ours = parseCode(code, { today })
      if (!ours.ok) throw new Error(ours.message)
      expect(ours.elements.map(element => [element.ai, element.value])).toEqual(
        theirs.map(it => [it.ai, it.raw ?? it.data]),
      )
      const isoDate = (ai: string): string | null => theirs.find(it => it.ai === ai)?.isoDate ?? null
      expect([ours.productionDate, ours.expiryDate]).toEqual([isoDate('11'), isoDate('17')])
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ']C101034531200000111719112510ABCD1234',
  ']d201088483801323531728033110A1234567\x1d21XYZ987',
  ']d20106970513110012112305121728051110230512A1\x1d21000123',
  ']C101069224461000111126010117290101102601010012',
  ']d201008445880032881727063010A213B1\x1d211234',
])('a label as the field has them: %s', code => {
  const theirs = oracle(code).parsedCodeItems
  const ours = parseCode(code, { today })
  expect(ours.ok ? ours.elements.map(it => [it.ai, it.value]) : ours.message).toEqual(
    theirs.map(it => [it.ai, it.raw ?? it.data]),
  )
})
