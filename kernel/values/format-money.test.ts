import { expect, it } from 'vitest'
import { moneyText } from '#kernel/values/format-money.ts'

it('writes thousands separators and two places, whatever the sign', () => {
  expect(['0', '999.5', '1000', '-1234567.891', '12345678901.2'].map(moneyText)).toEqual([
    '0.00',
    '999.50',
    '1,000.00',
    '-1,234,567.89',
    '12,345,678,901.20',
  ])
})
