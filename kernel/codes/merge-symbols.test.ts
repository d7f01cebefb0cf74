import { describe, expect, test } from 'vitest'
import { mergeScans } from './merge-symbols.ts'
import { parseCode } from './parse-code.ts'
import type { ReadCode } from './parsed-code.ts'

const context = { today: '2026-06-15' }
const P = '06901234567892'
const merge = (a: string, b: string) => mergeScans(parseCode(a, context), parseCode(b, context), context)

const WHOLE = { ok: true, kind: 'gs1', di: P, lot: 'LOT', serial: 'SN1', expiryDate: '2028-12-31' }

test.each([
  [`]C101${P}17281231`, ']C110LOT\x1d21SN1'],
  [`01${P}17281231`, '10LOT\x1d21SN1'],
  [`(01)${P}`, '(17)281231(10)LOT(21)SN1'],
  [`https://id.gs1.org/01/${P}?17=281231`, ']d210LOT\x1d21SN1'],
  ['6901234567892', ']C11728123110LOT\x1d21SN1'],
])('two symbols of one label become one, in either order: %j + %j', (a, b) => {
  expect(merge(a, b)).toMatchObject(WHOLE)
  expect(merge(b, a)).toMatchObject(WHOLE)
})

test('next to a product, a plain "10…" is its lot', () => {
  expect(merge(`01${P}`, '10LOT123')).toMatchObject({ ok: true, lot: 'LOT123' })
  expect(merge('10LOT123', '6901234567892')).toMatchObject({ ok: true, lot: 'LOT123', di: P })
})

describe('a second symbol whose separators are lost', () => {
  const product = ['01' + P, '(01)' + P, '6901234567892']
  test.each(product)('beside %j is read as one symbol with the product would be', goods => {
    for (const both of [merge(goods, '10LOT12317281231'), merge('10LOT12317281231', goods)])
      expect(both).toMatchObject({ lot: 'LOT123', expiryDate: '2028-12-31', repaired: true })
    const asked = merge(goods, ']C11728123110LOT12321SN456')
    expect(asked).toMatchObject({ ok: true, di: P, lot: null, serial: null, expiryDate: '2028-12-31' })
    expect((asked as ReadCode).candidates?.map(({ lot, serial }) => [lot, serial])).toEqual([
      ['LOT12321SN456', null],
      ['LOT123', 'SN456'],
    ])
  })
  test('with brackets or separators says what it says', () => {
    expect(merge(`01${P}`, '(17)281231(10)LOT12321SN456')).toMatchObject({ lot: 'LOT12321SN456', repaired: false })
    expect(merge(`01${P}`, ']C11728123110LOT12321SN456\x1d240A')).toMatchObject({ lot: 'LOT12321SN456' })
  })
})

test('the text of a merged label is one code that says the same', () => {
  const merged = merge(`01${P}17281231`, '10LOT\x1d21SN1') as ReadCode
  expect(parseCode(merged.text, context)).toMatchObject(WHOLE)
})

test('the same symbol twice changes nothing', () => {
  expect(merge(`01${P}10LOT`, `01${P}10LOT`)).toMatchObject({ lot: 'LOT', elements: { length: 2 } })
  expect(merge('MA.156.M0.100761.21234561.S1', 'MA.156.M0.100761.21234561.S1')).toMatchObject({
    kind: 'ma',
    serial: '1',
  })
})

test.each([
  [`01${P}`, '0116901234567899', 'merge.differentProducts'],
  [`01${P}21SN1`, `01${P}21SN2`, 'merge.conflictingElements'],
  [`01${P}10LOT`, ']C110LOT2', 'merge.conflictingElements'],
  [']C110LOT', ']C121SN', 'gs1.missingProduct'],
  [`01${P}`, 'GRN2606150001', 'merge.notMergeable'],
  [`01${P}`, ']C010LOT123', 'merge.notMergeable'],
  [`01${P}`, 'MA.156.M0.100761.21234561', 'merge.notMergeable'],
  [`01${P}10LOT12321SN456`, ']C121SN456', 'merge.undecided'],
  [`01${P}`, '', 'code.empty'],
])('%j + %j is refused as %s', (a, b, error) => {
  expect(merge(a, b)).toMatchObject({ ok: false, error, message: expect.stringMatching(/。$/) })
  expect(merge(b, a)).toMatchObject({ ok: false, error })
})
