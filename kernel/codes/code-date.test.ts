import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDay } from '#kernel/values/date.ts'
import { dayBefore, readShortOrLongDay, readYymmdd, referenceDay, yymmdd } from './code-date.ts'

const today = '2026-06-15'

test.each([
  ['00', '2000'],
  ['26', '2026'],
  ['75', '2075'],
  ['76', '2076'],
  ['77', '1977'],
  ['99', '1999'],
])('in 2026 a printed year %s means %s', (yy, year) => {
  expect(readYymmdd(`${yy}0115`, today)?.day).toBe(`${year}-01-15`)
})

test('the century window moves with today and reaches into the next century', () => {
  expect(readYymmdd('250101', '2075-01-01')?.day).toBe('2125-01-01')
  expect(readYymmdd('260101', '2075-01-01')?.day).toBe('2026-01-01')
  expect(referenceDay('not a day')).toBe(referenceDay(undefined))
})

test('leap days exist only in leap years', () => {
  expect(readYymmdd('000229', today)?.day).toBe('2000-02-29')
  expect(readYymmdd('280229', today)?.day).toBe('2028-02-29')
  expect(readYymmdd('000229', '2075-01-01')).toBeNull()
})

test('day 00 is read as the last day of its month and marked as such', () => {
  expect(readYymmdd('280200', today)).toEqual({ day: '2028-02-29', dayKnown: false })
  expect(readYymmdd('270200', today)).toEqual({ day: '2027-02-28', dayKnown: false })
  expect(readYymmdd('270430', today)).toEqual({ day: '2027-04-30', dayKnown: true })
})

test.each(['261301', '260001', '260431', '270229', '26013', '2601011', 'ab0101'])('%s is not a valid day', digits => {
  expect(readYymmdd(digits, today)).toBeNull()
})

test('eight digits contain their own century', () => {
  expect(readShortOrLongDay('19990228', today)?.day).toBe('1999-02-28')
  expect(readShortOrLongDay('20270229', today)).toBeNull()
})

test('the day before agrees with the calendar of the runtime', () => {
  const anyDay = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(anyDay, date => {
      const day = date.toISOString().slice(0, 10)
      expect(isDay(day)).toBe(true)
      expect(dayBefore(day)).toBe(new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10))
    }),
  )
})

test('what a label prints for a day reads back as that day', () => {
  const nearDay = fc.date({ min: new Date('1980-01-01'), max: new Date('2075-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(nearDay, date => {
      const day = date.toISOString().slice(0, 10)
      expect(readYymmdd(yymmdd(day) ?? '', today)).toEqual({ day, dayKnown: true })
    }),
  )
  expect(yymmdd('2026-02-30')).toBeNull()
})
