import { expect, test } from 'vitest'
import { canonicalUdi } from './encode.ts'
import { parseCode } from './parse-code.ts'

const today = '2026-06-15'
const DI = 'MA.156.M0.100761.21234561'
const read = (input: string) => parseCode(input, { today })

test('the public sample: every segment, and the earlier of the two expiry days', () => {
  expect(read(`${DI}.Sx00008.M220117.L20220117.D20220118.E220130.V220117.C3`)).toMatchObject({
    kind: 'ma',
    di: DI,
    serial: 'x00008',
    lot: '20220117',
    productionDate: '2022-01-17',
    expiryDate: '2022-01-17',
    expiryRaw: 'E220130.V220117',
    elements: { length: 8 },
  })
})

test('E is the first day after expiry, V the last valid one', () => {
  expect(read(`${DI}.E220301`)).toMatchObject({ expiryDate: '2022-02-28', expiryRaw: 'E220301' })
  expect(read(`${DI}.V220301`)).toMatchObject({ expiryDate: '2022-03-01', expiryRaw: 'V220301' })
  expect(read(`${DI}.V20300101.E20290601`)).toMatchObject({ expiryDate: '2029-05-31' })
})

test('the product alone, and product parts of other lengths', () => {
  expect(read(DI)).toMatchObject({ di: DI, lot: null, serial: null, expiryDate: null, expiryRaw: null, warnings: [] })
  expect(read('MA.156.M0.100761.AB12CD')).toMatchObject({ di: 'MA.156.M0.100761.AB12CD' })
})

test('P also gives the production date; a dotted lot is put together again', () => {
  expect(read(`${DI}.P20220117`)).toMatchObject({ productionDate: '2022-01-17' })
  expect(read(`${DI}.L12.5.S1`)).toMatchObject({
    lot: '12.5',
    serial: '1',
    warnings: [expect.stringContaining('小数点')],
  })
})

test.each([
  ['MA.156', 'ma.incomplete'],
  ['MA.156.M0.100761', 'ma.incomplete'],
  ['MA.156.M0..21234561', 'ma.incomplete'],
  ['MA.', 'ma.incomplete'],
  [`${DI}.X1`, 'ma.badSegment'],
  [`${DI}.`, 'ma.badSegment'],
  [`${DI}.E221301`, 'ma.badDate'],
  [`${DI}.M2201`, 'ma.badDate'],
  [`${DI}.S1.S2`, 'ma.conflictingSegments'],
])('%s is refused as %s', (input, error) => {
  expect(read(input)).toMatchObject({ ok: false, error, message: expect.stringMatching(/MA 码.*。$/) })
})

test('its unit code is product and serial', () => {
  expect(canonicalUdi(DI, 'x00008')).toBe(`${DI}.Sx00008`)
  expect(canonicalUdi(DI, null)).toBe(DI)
})
