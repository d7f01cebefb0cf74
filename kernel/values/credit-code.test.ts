import { expect, test } from 'vitest'
import { isCheckedCreditCode } from './credit-code.ts'

test('the check character of a unified social credit code', () => {
  // The example of GB 32100, and the public code of a well-known company.
  expect(isCheckedCreditCode('91350100M000100Y43')).toBe(true)
  expect(isCheckedCreditCode('914403001922038216')).toBe(true)
  expect(isCheckedCreditCode('91350100M000100Y44')).toBe(false)
  expect(isCheckedCreditCode('91350100M000100Y4')).toBe(false)
  expect(isCheckedCreditCode('91350100M000100I43')).toBe(false)
})
