import { expect, test } from 'vitest'
import { measureOfLine } from '#kernel/rules/line-measure.ts'
import { multiply } from '#kernel/values/decimal.ts'

test('the unit of a line holds its base units, so that the whole line counts as many as before', () => {
  const thirds = measureOfLine({ quantity: '3', base_quantity: '10.000' })
  expect(thirds).toBe('3.33333333')
  expect(multiply('3', thirds, 3)).toBe('10.000')
  expect(measureOfLine({ quantity: '0', base_quantity: '0.000' })).toBe('1')
})
