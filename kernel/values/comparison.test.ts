import { expect, test } from 'vitest'
import {
  changeOf,
  changeText,
  comparedWith,
  comparedWords,
  type Grain,
  grains,
  type Range,
  wayOf,
} from '#kernel/values/comparison.ts'
import { addDays, type Day, isLastOfMonth } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'

const range = (begin: string, end: string): Range => ({ begin: begin as Day, end: end as Day })
const LATER = '2030-01-01' as Day
const previous = (of: Range, grain: Grain | null = null, today: Day = LATER) =>
  comparedWith(of, grain, 'previous', today)
const yearBefore = (of: Range, grain: Grain | null = null, today: Day = LATER) => comparedWith(of, grain, 'year', today)

test('the month that runs is compared by its days so far with the same days of the month before', () => {
  const month = range('2026-11-01', '2026-11-30')
  expect(previous(month, 'month', '2026-11-29' as Day)).toEqual(range('2026-10-01', '2026-10-29'))
  // A page may ask until today or until the end of the month, with or without a grain.
  for (const grain of ['month', null] as const)
    for (const end of ['2026-11-29', '2026-11-30', '2026-12-31'])
      expect(previous(range('2026-11-01', end), grain, '2026-11-29' as Day)).toEqual(range('2026-10-01', '2026-10-29'))
  expect(previous(range('2026-11-01', '2026-11-01'))).toEqual(range('2026-10-01', '2026-10-01'))
})

test('where the month before is shorter, its last day is the last; a whole month is compared with a whole one', () => {
  expect(previous(range('2026-03-01', '2026-03-30'))).toEqual(range('2026-02-01', '2026-02-28'))
  expect(previous(range('2028-03-01', '2028-03-30'))).toEqual(range('2028-02-01', '2028-02-29'))
  expect(previous(range('2026-03-01', '2026-03-31'))).toEqual(range('2026-02-01', '2026-02-28'))
  expect(previous(range('2026-02-01', '2026-02-28'))).toEqual(range('2026-01-01', '2026-01-31'))
  expect(previous(range('2028-02-01', '2028-02-28'))).toEqual(range('2028-01-01', '2028-01-28'))
  expect(previous(range('2026-01-01', '2026-01-31'))).toEqual(range('2025-12-01', '2025-12-31'))
  expect(previous(range('2026-10-01', '2026-11-30'))).toEqual(range('2026-08-01', '2026-09-30'))
})

test('quarters, years and weeks that run are compared by their days so far as well', () => {
  expect(previous(range('2026-10-01', '2026-12-31'), 'quarter', '2026-11-29' as Day)).toEqual(
    range('2026-07-01', '2026-08-29'),
  )
  expect(previous(range('2026-10-01', '2026-11-29'))).toEqual(range('2026-07-01', '2026-08-29'))
  expect(previous(range('2026-07-01', '2026-09-30'))).toEqual(range('2026-04-01', '2026-06-30'))
  expect(previous(range('2026-01-01', '2026-11-29'))).toEqual(range('2025-01-01', '2025-11-29'))
  expect(previous(range('2026-01-01', '2026-12-31'))).toEqual(range('2025-01-01', '2025-12-31'))
  // From a Monday on.
  expect(previous(range('2026-11-23', '2026-11-26'))).toEqual(range('2026-11-16', '2026-11-19'))
  expect(previous(range('2026-12-28', '2027-01-03'), 'week')).toEqual(range('2026-12-21', '2026-12-27'))
})

test('other days are compared with as many before them; one day with the day before', () => {
  expect(previous(range('2026-11-05', '2026-11-14'))).toEqual(range('2026-10-26', '2026-11-04'))
  expect(previous(range('2026-11-30', '2026-11-30'))).toEqual(range('2026-11-29', '2026-11-29'))
  expect(previous(range('2026-11-01', '2026-11-01'), 'day')).toEqual(range('2026-10-31', '2026-10-31'))
})

test('a year earlier it is the same days, of a leap day the 28th; for weeks the same weekdays', () => {
  expect(yearBefore(range('2026-11-01', '2026-11-30'), null, '2026-11-29' as Day)).toEqual(
    range('2025-11-01', '2025-11-29'),
  )
  expect(yearBefore(range('2028-02-29', '2028-02-29'))).toEqual(range('2027-02-28', '2027-02-28'))
  expect(yearBefore(range('2029-02-01', '2029-02-28'))).toEqual(range('2028-02-01', '2028-02-29'))
  expect(yearBefore(range('2028-02-01', '2028-02-28'))).toEqual(range('2027-02-01', '2027-02-28'))
  // The 53rd week of 2026 with the first of that year: a year has 364 days of weeks.
  expect(yearBefore(range('2026-12-28', '2027-01-03'), 'week')).toEqual(range('2025-12-29', '2026-01-04'))
})

test('what begins a month is compared with what begins one, and neither reaches into the other', () => {
  for (let end = '2026-01-01' as Day; end < '2029-01-01'; end = addDays(end, 1)) {
    const of = { begin: `${end.slice(0, 8)}01` as Day, end }
    for (const grain of ['month', null] as const) {
      const then = previous(of, grain)
      expect(then.begin.endsWith('-01')).toBe(true)
      expect(then.end < of.begin).toBe(true)
      expect(then.end.slice(8) === end.slice(8) || isLastOfMonth(then.end)).toBe(true)
      if (isLastOfMonth(end)) expect(isLastOfMonth(then.end)).toBe(true)
    }
    for (const grain of Object.keys(grains) as Grain[]) expect(previous(of, grain).end < end).toBe(true)
  }
})

test('it is said in words with which days a figure compares', () => {
  const words = (of: Range, grain: Grain | null = null, against: 'previous' | 'year' = 'previous') =>
    comparedWords(of, grain, against, '2026-11-29' as Day)
  expect(words(range('2026-11-01', '2026-11-29'))).toBe('与上月同期（10月1日至29日）相比')
  expect(words(range('2026-11-01', '2026-11-30'), 'month')).toBe('与上月同期（10月1日至29日）相比')
  expect(words(range('2026-10-01', '2026-10-31'))).toBe('与上月（9月1日至30日）相比')
  expect(words(range('2026-01-01', '2026-01-31'))).toBe('与上月（2025年12月1日至31日）相比')
  expect(words(range('2026-10-01', '2026-11-29'))).toBe('与上季度同期（7月1日至8月29日）相比')
  expect(words(range('2026-11-28', '2026-11-28'))).toBe('与前1天（11月27日）相比')
  expect(words(range('2026-11-01', '2026-11-01'), 'day')).toBe('与前1天（10月31日）相比')
  expect(words(range('2026-11-16', '2026-11-19'))).toBe('与上周同期（11月9日至12日）相比')
  expect(words(range('2026-01-01', '2026-01-07'), 'day')).toBe('各日与上一日相比')
  expect(words(range('2026-09-01', '2026-11-29'), 'month')).toBe('各月与上一月同期相比')
  expect(words(range('2026-11-01', '2026-11-29'), null, 'year')).toBe('与去年同期（2025年11月1日至29日）相比')
})

test('a change is said in percent, of rates in points, and in words where a number says too much', () => {
  const of = (now: string, was: string, as?: string) =>
    changeText(changeOf(now as Decimal, was as Decimal, as), 'previous', as)
  expect(of('11500', '10000')).toBe('+15.00%')
  expect(of('9000', '10000')).toBe('-10.00%')
  expect(of('5', '5')).toBe('0.00%')
  expect(of('1100', '100')).toBe('+1000.00%')
  expect(of('1101', '100')).toBe('增长超过10倍')
  expect(of('-1100', '100')).toBe('下降超过10倍')
  expect(of('5', '0')).toBe('上期无数据')
  expect(changeText(null, 'year')).toBe('去年同期无数据')
  // A figure that was negative and is positive has grown.
  expect(of('50', '-100')).toBe('+150.00%')
  expect(of('0.55', '0.50', 'rate')).toBe('+5.00个百分点')
  expect(of('0.50', '0.55', 'rate')).toBe('-5.00个百分点')
  expect(of('0.12', '18.001', 'rate')).toBe('下降超过100个百分点')
  expect([null, '0.00', '0.1', '-0.1'].map(change => wayOf(change as Decimal | null))).toEqual([
    'level',
    'level',
    'up',
    'down',
  ])
})
