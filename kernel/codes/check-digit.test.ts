import { expect, test } from 'vitest'
import { gtinCheckDigit, hasCheckDigit, isGtin, padGtin } from './check-digit.ts'

test.each([
  '06901234567892',
  '1234567890128',
  '12345678901231',
  '123456789012345675',
  '16901234567899',
  '26901234567896',
])('the published number %s carries its own check digit', digits => {
  expect(hasCheckDigit(digits)).toBe(true)
  expect(gtinCheckDigit(digits.slice(0, -1))).toBe(digits.slice(-1))
})

test('every single wrong digit is noticed', () => {
  const good = '06901234567892'
  for (let at = 0; at < good.length; at += 1) {
    for (let digit = 0; digit <= 9; digit += 1) {
      const changed = good.slice(0, at) + digit + good.slice(at + 1)
      expect(hasCheckDigit(changed)).toBe(changed === good)
    }
  }
})

test('shorter GTINs are stored as fourteen digits', () => {
  expect(padGtin('6901234567892')).toBe('06901234567892')
  expect(padGtin('96385074')).toBe('00000096385074')
  expect(padGtin('036000291452')).toBe('00036000291452')
  expect(padGtin('16901234567899')).toBe('16901234567899')
})

test('a value that is not a GTIN is not padded', () => {
  for (const text of ['6901234567893', '690123456789', '', '00000000', '69012345678 2', '６９０'])
    expect(padGtin(text)).toBeNull()
  expect(isGtin('123456789012345675')).toBe(false)
  expect(gtinCheckDigit('69012x')).toBeNull()
})
