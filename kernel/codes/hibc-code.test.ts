import { describe, expect, test } from 'vitest'
import { deviceIdentifier } from './device-identifier.ts'
import { canonicalUdi } from './encode.ts'
import { hibcCheckCharacter } from './hibc-code.ts'
import { mergeScans } from './merge-symbols.ts'
import { parseCode } from './parse-code.ts'
import type { ReadCode, RefusedCode } from './parsed-code.ts'

const today = '2026-06-15'
/** The example of the standard, with its check character. */
const PRIMARY = '+A123BJC5D6E71G'
const DI = '+A123BJC5D6E71'
const checked = (body: string) => body + hibcCheckCharacter(body)
const joined = (data: string) => checked(`${DI}/${data}`)

function read(code: string): ReadCode {
  const reading = parseCode(code, { today })
  if (!reading.ok) throw new Error(`${reading.error} ${reading.message}`)
  return reading
}
function refused(code: string): RefusedCode {
  const reading = parseCode(code, { today })
  if (reading.ok) throw new Error(`read as ${reading.kind}`)
  expect(reading.message).toMatch(/[\u4e00-\u9fff].*。$/)
  return reading
}

describe('a primary code', () => {
  test('names the product; its check character is verified and not part of the identifier', () => {
    expect(hibcCheckCharacter(DI)).toBe('G')
    expect(read(PRIMARY)).toMatchObject({ kind: 'hibc', di: DI, lot: null, serial: null, expiryDate: null })
    expect(refused(`${DI}H`).error).toBe('hibc.badCheckCharacter')
  })
  test.each([`]C0${PRIMARY}`, `]A0*${PRIMARY}*`, `]d1${PRIMARY}`, `]Q1${PRIMARY}`, `  ${PRIMARY}\r\n`])(
    'is read however the scanner sends it: %j',
    code => expect(read(code).di).toBe(DI),
  )
  test.each([
    PRIMARY.toLowerCase(),
    '＋Ａ１２３ＢＪＣ５Ｄ６Ｅ７１Ｇ',
    '=a!@#bjc%d^e&!g',
    `]a0*${PRIMARY.toLowerCase()}*`,
  ])('is read with Caps Lock on, a locked Shift or an input method: %j', code => {
    expect(read(code).di).toBe(DI)
  })
  test('in small letters whose check character is wrong is no code of the hospital', () => {
    expect(refused(`${PRIMARY.toLowerCase().slice(0, -1)}h`).error).toBe('hibc.badCheckCharacter')
  })
  test('and its second part keep signs that Chinese input methods change', () => {
    expect(read(joined('$$3281231LOT1').replaceAll('$', '￥').replaceAll('/', '、'))).toMatchObject({
      lot: 'LOT1',
      expiryDate: '2028-12-31',
    })
    const { message } = refused(`${DI}/$批号1X`)
    expect(message).toContain('请切换到英文输入后重新扫码')
  })
  test('whose check character is a blank survives the blank being trimmed', () => {
    const body = Array.from({ length: 9999 }, (_, n) => `+A123B${String(n).padStart(4, '0')}1`).find(
      text => hibcCheckCharacter(text) === ' ',
    )!
    expect(read(`${body} `).di).toBe(body)
  })
  test('is one of the identifiers that goods are stored under, with or without its check character', () => {
    expect(deviceIdentifier(PRIMARY)).toEqual({ di: DI, issuer: 'hibc' })
    expect(deviceIdentifier(DI)).toEqual({ di: DI, issuer: 'hibc' })
    expect(deviceIdentifier('MA.156.M0.100761.21234561')).toMatchObject({ issuer: 'ma' })
    expect(deviceIdentifier('6901234567892')).toEqual({ di: '06901234567892', issuer: 'gs1' })
    expect(deviceIdentifier('+ABC')).toBeNull()
  })
  test('with a serial is the one code of its piece', () => {
    expect(canonicalUdi(DI, 'S77')).toBe(`${DI}/SS77`)
    expect(canonicalUdi(DI, null)).toBe(DI)
  })
})

describe('the data behind the slash', () => {
  test.each([
    ['$$0928LOT1', { lot: 'LOT1', expiryDate: '2028-09-30', expiryDayKnown: false }],
    ['$$2093028LOT1', { lot: 'LOT1', expiryDate: '2028-09-30', expiryDayKnown: true }],
    ['$$3280930LOT1', { lot: 'LOT1', expiryDate: '2028-09-30' }],
    ['$$428093015LOT1', { lot: 'LOT1', expiryDate: '2028-09-30' }],
    ['$$528274LOT1', { lot: 'LOT1', expiryDate: '2028-09-30' }],
    ['$$62827415LOT1', { lot: 'LOT1', expiryDate: '2028-09-30' }],
    ['$$7LOT1', { lot: 'LOT1', expiryDate: null }],
    ['$$824$$', null],
    ['$$8243280930LOT1', { lot: 'LOT1', count: 24, expiryDate: '2028-09-30' }],
    ['$$9001003280930LOT1', { lot: 'LOT1', count: 100 }],
    ['$$+3280930SN7', { lot: null, serial: 'SN7', expiryDate: '2028-09-30' }],
    ['$LOT1', { lot: 'LOT1', serial: null }],
    ['$+SN7', { lot: null, serial: 'SN7' }],
    ['28274LOT1', { lot: 'LOT1', expiryDate: '2028-09-30' }],
    [
      '$$3280930LOT1/SSN7/16D20250801',
      { lot: 'LOT1', serial: 'SN7', expiryDate: '2028-09-30', productionDate: '2025-08-01' },
    ],
    ['$LOT1/14D20280930/Q5', { lot: 'LOT1', expiryDate: '2028-09-30', count: 5 }],
  ])('%s', (data, facts) => {
    if (facts === null) expect(refused(joined(data)).error).toBe('hibc.badData')
    else expect(read(joined(data))).toMatchObject({ kind: 'hibc', di: DI, ...facts })
  })
  test.each([
    '$$4280930LOT1',
    '$$428093024LOT1',
    '$$628274LOT1',
    '$LOT1/QTEN',
    '$$3281399LOT1',
    '$$528000LOT1',
    '$$5AB',
    '?',
    '$A/$B',
    '14D2028',
  ])('%s is refused, and says why', data => {
    expect(['hibc.badData', 'hibc.badCheckCharacter']).toContain(refused(joined(data)).error)
  })
})

describe('two codes on one label', () => {
  const second = (data: string, link = 'G') => checked(`+${data}${link}`)
  test('the second alone asks for the first; together they are one reading in either order', () => {
    const secondary = second('$$3280930LOT1')
    expect(refused(secondary)).toMatchObject({ error: 'hibc.missingProduct' })
    const [a, b] = [parseCode(PRIMARY, { today }), parseCode(secondary, { today })]
    for (const merged of [mergeScans(a, b, { today }), mergeScans(b, a, { today })])
      expect(merged).toMatchObject({ ok: true, kind: 'hibc', di: DI, lot: 'LOT1', expiryDate: '2028-09-30' })
    const serial = parseCode(second('$$+3280930SN7'), { today })
    const whole = mergeScans(a, serial, { today }) as ReadCode
    expect(read(whole.text)).toMatchObject({ di: DI, serial: 'SN7', expiryDate: '2028-09-30' })
  })
  test('a second one that is linked to another product is not merged', () => {
    const merged = mergeScans(parseCode(PRIMARY, { today }), parseCode(second('$LOT1', 'H'), { today }), { today })
    expect(merged).toMatchObject({ ok: false, error: 'merge.differentProducts' })
  })
})
