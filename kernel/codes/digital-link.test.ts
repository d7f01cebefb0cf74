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
  const words = { di: P, serial: 'S9', expiryDate: '2028-12-31' }
  expect(read('https://example.com/gtin/6901234567892/ser/S9?exp=281231')).toMatchObject(words)
  expect(read('HTTPS://EXAMPLE.COM/GTIN/6901234567892/SER/S9?EXP=281231')).toMatchObject(words)
})

test('folders of a site that are no group may stand before the key', () => {
  expect(read(`https://example.com/2024/10/01/${P}/10/L`)).toMatchObject({ di: P, lot: 'L' })
})

test('other keys are read without inventing a product', () => {
  expect(read('https://id.gs1.org/00/123456789012345675')).toMatchObject({ ok: true, di: null })
})

test('the reason of a refusal names what is wrong', () => {
  const sentence = (input: string) => {
    const code = read(input)
    return code.ok ? '' : code.message
  }
  expect(sentence(`https://id.gs1.org/01/${P}/21/S/10/L`)).toContain('批号(10)的位置不对')
  expect(sentence(`https://id.gs1.org/01/${P}/10/A?10=A`)).toContain('批号(10)出现了两次')
  expect(sentence(`https://id.gs1.org/01/${P}?7099=X`)).toContain('“7099”不是已知的 GS1 标识符')
  expect(sentence(`https://id.gs1.org/01/${P}/17/281231`)).toContain('有效期(17)不能跟在(01)后面')
})

test('names in the query may be encoded, and Caps Lock is undone where the address proves it', () => {
  expect(read(`https://id.gs1.org/01/${P}?%31%30=L`)).toMatchObject({ lot: 'L' })
  expect(read(`HTTPS://ID.GS1.ORG/01/${P}/10/lOT`)).toMatchObject({ lot: 'Lot' })
  expect(read(`HTTPS://ID.GS1.ORG/01/${P}/10/LOT`)).toMatchObject({ lot: 'LOT', warnings: [] })
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
  [`https://id.gs1.org/01/${P}/10/A?10=A`, 'gs1.conflictingElements'],
  [`https://id.gs1.org/01/${P}/10/A/10/A`, 'gs1.conflictingElements'],
  [`https://id.gs1.org/01/${P}?17=281231&17=281231`, 'gs1.conflictingElements'],
  [`https://id.gs1.org/01/${P}/21/S/10/L`, 'link.badPath'],
  [`https://id.gs1.org/01/${P}/10/L/22/V`, 'link.badPath'],
  [`https://id.gs1.org/01/${P}/17/281231`, 'link.badPath'],
  [`https://id.gs1.org/01/${P}/77/X`, 'gs1.unknownIdentifier'],
  [`https://id.gs1.org/01/${P}?7099=X`, 'gs1.unknownIdentifier'],
  [`https://id.gs1.org/01/${P}/10`, 'gs1.emptyElement'],
  [`https://id.gs1.org/10/L/01/${P}`, 'link.badPath'],
  [`https://id.gs1.org/lot/L/gtin/${P}`, 'link.badPath'],
  [`https://id.gs1.org/17/281231/01/${P}`, 'link.badPath'],
  [`https://id.gs1.org/01/${P}/01/16901234567899`, 'link.badPath'],
  [`https://id.gs1.org/01/${P}?17`, 'gs1.emptyElement'],
  [`https://id.gs1.org/01/${P}/10/A%zz`, 'link.badEncoding'],
  [`https://id.gs1.org/01/${P}/10/%E6%89`, 'link.badEncoding'],
])('%s is refused as %s', (input, error) => {
  expect(read(input)).toMatchObject({ ok: false, error })
})
