import { expect, test } from 'vitest'
import { bigNumber, median, NOTHING_TO_SAY, percent, shareOf } from '#kernel/values/big-number.ts'
import type { Decimal } from '#kernel/values/decimal.ts'

const text = (value: string, places = 2) => {
  const { digits, unit } = bigNumber(value as Decimal, places)
  return digits + unit
}

test('below ten thousand as it is, from there in 万, from a hundred million in 亿, with two decimals', () => {
  expect(text('9999.99')).toBe('9,999.99')
  expect(text('10000')).toBe('1.00万')
  expect(text('11500.00')).toBe('1.15万')
  expect(text('99990000')).toBe('9,999.00万')
  expect(text('100000000')).toBe('1.00亿')
  expect(text('123456789012.34')).toBe('1,234.57亿')
  expect(text('-12345')).toBe('-1.23万')
  expect(text('1234', 0)).toBe('1,234')
  expect(text('0', 0)).toBe('0')
  expect(text('12.500', 1)).toBe('12.5')
})

test('what would be rounded to 10000.00万 is a hundred million', () => {
  expect(text('99999999.99')).toBe('1.00亿')
  expect(text('99999949.99')).toBe('9,999.99万')
})

test('a rate is a fraction of a hundred; of nothing there is none', () => {
  expect(percent(shareOf('60000' as Decimal, '100000' as Decimal))).toBe('60.00%')
  expect(percent(shareOf('8' as Decimal, '10' as Decimal))).toBe('80.00%')
  expect(percent(shareOf('1' as Decimal, '0' as Decimal))).toBe(NOTHING_TO_SAY)
})

test('the median of hours 2, 3, 10 is 3.0; of fewer than three there is none', () => {
  const hours = (...all: string[]) => median(all as Decimal[])
  expect(hours('10', '2', '3')).toBe('3.0')
  expect(hours('1', '2', '4', '9')).toBe('3.0')
  expect(hours('2', '3')).toBeNull()
  expect(hours()).toBeNull()
})
