import { describe, expect, it } from 'vitest'
import { atLeastTwoPlaces, cleanFigure, groupDigits } from '#web/fields/kinds/number-input.tsx'

describe('figures', () => {
  it.each([
    ['1234567.50', '1,234,567.50'],
    ['-1234.5', '-1,234.5'],
    ['999', '999'],
  ])('%s is shown as %s', (value, shown) => expect(groupDigits(value)).toBe(shown))

  it.each([
    ['12.5000', '12.50'],
    ['0.1250', '0.125'],
    ['7', '7.00'],
  ])('a price of %s is shown as %s', (value, shown) => expect(atLeastTwoPlaces(value)).toBe(shown))

  it.each([
    ['￥1,050.50', '1050.50'],
    ['２０', '20'],
    [' +3 ', '3'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
  ])('%s is read as %s', (typed, read) => expect(cleanFigure(typed)).toBe(read))
})
