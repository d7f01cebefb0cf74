import { describe, expect, test } from 'vitest'
import { canonicalUdi } from './encode.ts'
import { parseCode } from './parse-code.ts'
import type { ReadCode, RefusedCode } from './parsed-code.ts'

const today = '2026-06-15'
const GS = '\x1d'
const PRODUCT = '06901234567892'
const FULL = `01${PRODUCT}112601011728123110LOT-1${GS}21SN0001`

function read(input: string, more = {}): ReadCode {
  const code = parseCode(input, { today, ...more })
  if (!code.ok) throw new Error(`${code.error} ${code.message}`)
  return code
}

function refused(input: string, more = {}): RefusedCode {
  const code = parseCode(input, { today, ...more })
  if (code.ok) throw new Error(`read as ${code.kind}`)
  expect(code.message).toMatch(/[\u4e00-\u9fff].*。$/)
  return code
}

const FULL_FACTS = {
  kind: 'gs1',
  di: PRODUCT,
  lot: 'LOT-1',
  serial: 'SN0001',
  productionDate: '2026-01-01',
  productionDayKnown: true,
  expiryDate: '2028-12-31',
  expiryDayKnown: true,
  expiryRaw: '281231',
  repaired: false,
  warnings: [],
}

describe('1 cleaning', () => {
  test('spaces, line ends and zero-width marks around a code are ignored, and raw keeps them', () => {
    const input = `\ufeff \u200b${FULL}\r\n`
    expect(read(input)).toMatchObject({ ...FULL_FACTS, raw: input })
  })
  test('a Chinese input method left on does not change what is read', () => {
    expect(read('（０１）０６９０１２３４５６７８９２（１０）ＬＯＴ')).toMatchObject({ di: PRODUCT, lot: 'LOT' })
    expect(read('ＭＡ。１５６。Ｍ０。１００７６１。２１２３４５６１')).toMatchObject({
      kind: 'ma',
      di: 'MA.156.M0.100761.21234561',
    })
    expect(read(`】Ｃ１${FULL}`)).toMatchObject(FULL_FACTS)
  })
  test('Caps Lock seen in the prefix is undone, with a warning', () => {
    const code = read(`]c101${PRODUCT}21aBc`)
    expect(code.serial).toBe('AbC')
    expect(code.warnings.join()).toContain('大写锁定')
  })
  test('a locked Shift is undone where the check digit proves it', () => {
    expect(read(`)!)^()!@#$%^&*(@!)LOT!`)).toMatchObject({ di: PRODUCT, lot: 'lot1' })
  })
  test('an input method that ate the letters is named', () => {
    expect(refused(`01${PRODUCT}10洛特1`).message).toContain('请切换到英文输入后重新扫码')
  })
  test('small letters only are asked about, unless the scanner says what it sent', () => {
    expect(read(`01${PRODUCT}10lot1`)).toMatchObject({ lot: 'lot1', warnings: [expect.stringContaining('大写锁定')] })
    expect(read(`]C101${PRODUCT}10lot1`).warnings).toEqual([])
    expect(read(`(01)${PRODUCT}(10)lot1`).warnings).toEqual([])
  })
  test('a number of noughts is no product', () => {
    expect(refused('(01)00000000000000(21)A').error).toBe('gs1.badCheckDigit')
  })
})

describe('what GS1 has not assigned', () => {
  test('an identifier in brackets that is not known is named, not swallowed by the value before it', () => {
    const { error, message } = refused(`(01)${PRODUCT}(7099)123(10)LOT`)
    expect(error).toBe('gs1.unknownIdentifier')
    expect(message).toContain('“(7099)”不是已知的 GS1 标识符')
  })
  test('a bracket that belongs to a lot is escaped', () => {
    expect(read(`(01)${PRODUCT}(10)A\\(7099)B`).lot).toBe('A(7099)B')
  })
  test('~ is no character of a value', () => {
    expect(refused(`]C101${PRODUCT}10AB~C`).error).toBe('gs1.badCharacter')
  })
})

describe('wristbands and single devices', () => {
  test.each([
    ['8018', '696101001234567894', 'gs1.badCheckDigit'],
    ['7250', '19850231', 'gs1.badDate'],
    ['7252', '3', 'gs1.badCharacter'],
    ['7258', '3/2', 'gs1.badPiece'],
    ['8026', `${PRODUCT}0302`, 'gs1.badPiece'],
    ['8013', '1987654Ad4X4bL5ttr2310c2L', 'gs1.badCheckDigit'],
  ])('(%s)%s is refused', (ai, value, error) => {
    expect(refused(`(${ai})${value}`).error).toBe(error)
  })
  test.each([
    ['7250', '19850228'],
    ['7258', '1/2'],
    ['8026', `${PRODUCT}0203`],
    ['8013', '1987654Ad4X4bL5ttr2310c2K'],
  ])('(%s)%s is read', (ai, value) => {
    expect(read(`(01)${PRODUCT}(${ai})${value}`).elements.map(each => each.ai)).toContain(ai)
  })
})

describe('2 symbology prefix', () => {
  test.each([']C1', ']d2', ']Q3', ']e0', ']C1]C1', `${GS}`, `]C1${GS}`, `${GS}]d2`])(
    'after %j the groups are read',
    prefix => {
      expect(read(prefix + FULL)).toMatchObject(FULL_FACTS)
    },
  )
  test('an EAN prefix announces an item number and nothing else', () => {
    expect(read(']E06901234567892')).toMatchObject({ kind: 'gtin', di: PRODUCT, lot: null })
    expect(refused(']E06901234567893').error).toBe('gtin.badCheckDigit')
  })
  test.each([']d1', ']Q1', ']C0'])('%s is not GS1 even if it looks so', prefix => {
    const code = read(`${prefix}01${PRODUCT}10LOT`)
    expect(code).toMatchObject({ kind: 'inhouse', di: null })
    expect(code.warnings.join()).toContain('没有 GS1 标志')
    expect(read(`${prefix}MA.156.M0.100761.21234561`).kind).toBe('ma')
  })
  test('a promised GS1 symbol that is not GS1 is refused, not read as an in-house code', () => {
    expect(refused(']C1ABCDEF').error).toBe('gs1.unknownIdentifier')
  })
})

test('3 a web address is a Digital Link', () => {
  expect(read(`https://id.gs1.org/01/${PRODUCT}/10/L1`)).toMatchObject({
    kind: 'gs1-digital-link',
    di: PRODUCT,
    lot: 'L1',
  })
})

test('4 "MA." starts an MA code', () => {
  expect(read('MA.156.M0.100761.21234561.L7')).toMatchObject({ kind: 'ma', lot: '7' })
})

describe('5 the human-readable line', () => {
  test('brackets mark the groups, spaces between digits do not matter', () => {
    expect(read(`(01) 0 6901234 56789 2 (17) 281231 (10) LOT-1 (21) SN0001`)).toMatchObject({
      di: PRODUCT,
      lot: 'LOT-1',
      serial: 'SN0001',
      expiryDate: '2028-12-31',
    })
  })
  test('brackets without an identifier are ordinary characters', () => {
    expect(read('(AB)1234').kind).toBe('inhouse')
    expect(read(`(01)${PRODUCT}(10)A(6)B`).lot).toBe('A(6)B')
  })
})

describe('6 groups and separators', () => {
  test('the standard string', () => {
    expect(read(FULL)).toMatchObject(FULL_FACTS)
  })
  test.each([
    '<GS>',
    '{GS}',
    '[GS]',
    '<F8>',
    '{F8}',
    '<FNC1>',
    '\\x1d',
    '\\u001d',
    '^]',
    ']',
    '|',
    '␝',
    '{ALT+029}',
    '\\035',
    '&#29;',
  ])('a separator that arrives as %s', spelling => {
    expect(read(FULL.replace(GS, spelling))).toMatchObject({ lot: 'LOT-1', serial: 'SN0001' })
  })
  test('a percent sign separates only inside a GS1 QR symbol', () => {
    expect(read(`]Q3${FULL.replace(GS, '%')}`)).toMatchObject({ lot: 'LOT-1', serial: 'SN0001', repaired: true })
    expect(read(`]d201${PRODUCT}1099%8`).lot).toBe('99%8')
    expect(read(`]Q301${PRODUCT}1099%8`).lot).toBe('99%8')
  })
  test('the same text has another meaning inside another symbol', () => {
    expect(read(`]d201${PRODUCT}10LOT%210`)).toMatchObject({ lot: 'LOT%210', serial: null })
    expect(read(`]Q301${PRODUCT}10LOT%210`)).toMatchObject({ lot: 'LOT', serial: '0' })
  })
  test('groups of fixed length need no separator after them', () => {
    const code = read(`01${PRODUCT}2099310300125010L${GS}21S`)
    expect(code.elements.map(it => it.value)).toEqual([PRODUCT, '99', '001250', 'L', 'S'])
    expect(code.repaired).toBe(false)
  })
  test('separators after fixed groups and at the end are harmless', () => {
    expect(read(`01${PRODUCT}${GS}17281231${GS}${GS}10LOT${GS}`)).toMatchObject({
      lot: 'LOT',
      expiryDate: '2028-12-31',
    })
  })
  test('two symbols read in one scan', () => {
    expect(read(`]C101${PRODUCT}17281231]C110LOT-1${GS}21S`)).toMatchObject({
      lot: 'LOT-1',
      serial: 'S',
      repaired: false,
    })
  })
})

test('8 a bare number with the right check digit is a product', () => {
  expect(read('6901234567892')).toMatchObject({ kind: 'gtin', di: PRODUCT })
  expect(read('96385074')).toMatchObject({ kind: 'gtin', di: '00000096385074' })
  const wrong = read('6901234567893')
  expect(wrong.kind).toBe('inhouse')
  expect(wrong.warnings.join()).toContain('校验位')
})

test('9 a document number', () => {
  expect(read('GRN2606150001')).toMatchObject({ kind: 'document', text: 'GRN2606150001', di: null })
  expect(read('G2606150001').kind).toBe('inhouse')
  expect(read('GRN260615001').kind).toBe('inhouse')
})

describe('10 in-house codes', () => {
  test('any printable text of 4 to 64 characters', () => {
    expect(read('ZC-00012')).toMatchObject({ kind: 'inhouse', text: 'ZC-00012' })
    expect(read('手术室A1').kind).toBe('inhouse')
    expect(read('x'.repeat(64)).kind).toBe('inhouse')
  })
  test('a rule of the hospital takes priority over a refusal, but not over a product', () => {
    const inhouse = [/^\(10\)[A-Z]+$/g, /^6901234567892$/]
    expect(read('(10)ABC', { inhouse }).kind).toBe('inhouse')
    expect(read('(10)ABC', { inhouse }).kind).toBe('inhouse')
    expect(read('6901234567892', { inhouse })).toMatchObject({
      kind: 'gtin',
      warnings: [expect.stringContaining('院内码')],
    })
  })
  test.each([
    ['', 'code.empty'],
    ['  \u200b', 'code.empty'],
    ['abc', 'code.tooShort'],
    ['ab cd', 'code.hasSpace'],
    ['ab\0cd', 'code.unprintable'],
    ['ab\ud800cd', 'code.unprintable'],
    ['x'.repeat(65), 'code.tooLong'],
    ['x'.repeat(513), 'code.tooLong'],
  ])('%j is refused as %s', (input, error) => {
    expect(refused(input).error).toBe(error)
  })
})

describe('groups that contradict each other', () => {
  test.each([`]C110LOT`, `]C121SN`, `(21)SN`, `10LOT${GS}21SN`, '1728123110LOT'])('%j names no product', input => {
    const code = refused(input)
    expect(code.error).toBe('gs1.missingProduct')
    expect(code.fragment?.length).toBeGreaterThan(0)
  })
  test('without a prefix "10…" is a hospital number unless it is next to a product', () => {
    expect(read('10LOT123')).toMatchObject({
      kind: 'inhouse',
      lot: null,
      warnings: [expect.stringContaining('没有产品标识')],
    })
  })
  test('a repeated group is accepted, two different values are refused', () => {
    expect(read(`01${PRODUCT}10A${GS}10A`)).toMatchObject({ lot: 'A' })
    expect(read(`01${PRODUCT}10A${GS}10A`).elements).toHaveLength(2)
    expect(refused(`01${PRODUCT}10A${GS}10B`).error).toBe('gs1.conflictingElements')
  })
  test.each([
    ['0106901234567893', 'gs1.badCheckDigit'],
    [`01${PRODUCT}17261301`, 'gs1.badDate'],
    [`01${PRODUCT}70032601001200`, 'gs1.badDate'],
    [`]C101690123456789`, 'gs1.badLength'],
    [`01${PRODUCT}10${GS}21S`, 'gs1.emptyElement'],
    [`01${PRODUCT}10批${GS}21S`, 'gs1.badCharacter'],
    [`01${PRODUCT}10${'A'.repeat(21)}`, 'gs1.badLength'],
    [`01${PRODUCT}1728${GS}10LOT`, 'gs1.badLength'],
    [`01${PRODUCT}55X`, 'gs1.unknownIdentifier'],
  ])('%j is refused as %s', (input, error) => {
    expect(refused(input).error).toBe(error)
  })
})

describe('what the groups mean', () => {
  test('day 00 and a guessed century give a warning', () => {
    const code = read(`01${PRODUCT}17280200`)
    expect(code).toMatchObject({ expiryDate: '2028-02-29', expiryDayKnown: false, expiryRaw: '280200' })
    expect(code.warnings).toHaveLength(1)
    expect(read(`01${PRODUCT}17770101`)).toMatchObject({
      expiryDate: '1977-01-01',
      warnings: [expect.stringContaining('1977')],
    })
  })
  test('an expiry with a time, counts, and logistic units', () => {
    expect(read(`01${PRODUCT}70032812312359`)).toMatchObject({ expiryDate: '2028-12-31', expiryRaw: '2812312359' })
    expect(read(`01${PRODUCT}3012`).count).toBe(12)
    expect(read(`]C100123456789012345675`)).toMatchObject({ kind: 'gs1', di: null })
    expect(read(`0012345678901234567502${PRODUCT}3724${GS}10L`)).toMatchObject({ di: PRODUCT, count: 24, lot: 'L' })
    expect(read(`]C18018123456789012345675`).elements[0]?.label).toBe('服务接受方代码')
  })
  test('contents without a count, or next to a product, give a warning', () => {
    expect(read(`0012345678901234567502${PRODUCT}`).warnings.join()).toContain('没有箱内数量')
    expect(read(`01${PRODUCT}3712`).warnings.join()).toContain('不符合 GS1 规则')
  })
  test('characters outside the 82 are read with a warning', () => {
    expect(read(`01${PRODUCT}10A#1${GS}21S`)).toMatchObject({
      lot: 'A#1',
      warnings: [expect.stringContaining('GS1 规定以外')],
    })
  })
  test('production after expiry or after today gives a warning', () => {
    expect(read(`01${PRODUCT}1126070117260101`).warnings).toHaveLength(2)
  })
  test('the unit code is the same for every carrier', () => {
    const spellings = [FULL, `]d2${FULL}`, `(01)${PRODUCT}(21)SN0001`, `https://id.gs1.org/01/${PRODUCT}/21/SN0001`]
    const codes = spellings.map(input => read(input)).map(code => canonicalUdi(code.di ?? '', code.serial))
    expect(new Set(codes)).toEqual(new Set([`(01)${PRODUCT}(21)SN0001`]))
  })
})
