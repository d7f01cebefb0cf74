import { expect, test } from 'vitest'
import { parseCode } from './parse-code.ts'

const today = '2026-06-15'
const P = '06901234567892'
const read = (input: string) => parseCode(input, { today })

test('qualifiers in the path and identifiers in the query are read', () => {
  expect(read(`https://id.gs1.org/01/${P}/22/2A/10/ABC/21/S1?17=281231&11=260101`)).toMatchObject({
    kind: 'gs1-digital-link',
    di: P,
    lot: 'ABC',
    serial: 'S1',
    expiryDate: '2028-12-31',
    productionDate: '2026-01-01',
  })
})

test('percent-encoding is decoded once, in path and query', () => {
  expect(read(`https://id.gs1.org/01/${P}/10/A%2FB%2525?21=%3C1%3E`)).toMatchObject({ lot: 'A/B%25', serial: '<1>' })
  expect(read(`https://id.gs1.org/01/${P}/10/A%2`)).toMatchObject({ ok: false, error: 'link.badEncoding' })
})

test('a maker may host the link on its own site and add its own parameters', () => {
  const link = `http://udi.example.cn/shop/cn/01/${P}/10/L7?utm_source=qr&linkType=gs1:pip#top`
  expect(read(link)).toMatchObject({ di: P, lot: 'L7', elements: { length: 2 } })
})

test('short numbers and the words of the first edition are read', () => {
  expect(read('https://example.com/gtin/6901234567892/ser/S9?exp=281231')).toMatchObject({
    di: P,
    serial: 'S9',
    expiryDate: '2028-12-31',
  })
})

test('other keys are read without inventing a product', () => {
  expect(read('https://id.gs1.org/00/123456789012345675')).toMatchObject({ ok: true, di: null })
})

test.each([
  ['https://id.gs1.org/AQnYUc1gmiCNV4JGYgYAF', 'link.compressed'],
  [`https://id.gs1.org/01/${P}/AQnYUc1gmiCNV4`, 'link.compressed'],
  ['https://www.example.com/', 'link.noProduct'],
  ['https://', 'link.noProduct'],
  ['https://example.com/products/stents', 'link.noProduct'],
  ['https://example.com/constructor/x/toString/y', 'link.noProduct'],
  ['https://id.gs1.org/01/06901234567893', 'gs1.badCheckDigit'],
  [`https://id.gs1.org/01/${P}?17=281301`, 'gs1.badDate'],
  [`https://id.gs1.org/01/${P}/10/A?10=B`, 'gs1.conflictingElements'],
])('%s is refused as %s', (input, error) => {
  expect(read(input)).toMatchObject({ ok: false, error })
})
