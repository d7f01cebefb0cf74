import { describe, expect, it } from 'vitest'
import { readDay } from '#web/fields/kinds/date.tsx'

describe('a typed date', () => {
  it.each([
    ['2027-03-31', '2027-03-31'],
    ['20270331', '2027-03-31'],
    ['270331', '2027-03-31'],
    ['2027/3/1', '2027-03-01'],
    ['2027.3.1', '2027-03-01'],
    ['2027年3月1日', '2027-03-01'],
    ['２０２７－０３－３１', '2027-03-31'],
    ['2027-03-31 00:00:00', '2027-03-31'],
    ['46477', '2027-03-31'],
  ])('%s is %s', (typed, day) => expect(readDay(typed)).toBe(day))

  it.each(['2027-02-30', '31/3/2027', 'tomorrow', '', '13'])('%s is not a date', typed =>
    expect(readDay(typed)).toBeNull(),
  )
})
