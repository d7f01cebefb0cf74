import { expect, test } from 'vitest'
import type { Day } from '#kernel/values/date.ts'
import { lastPeriod, nextDue, type Schedule } from '#kernel/values/schedule.ts'

test.each([
  ['daily', '2026-12-31', '2027-01-01'],
  ['weekly', '2026-11-22', '2026-11-29'],
  ['monthly', '2026-11-22', '2026-12-22'],
  ['monthly', '2026-12-31', '2027-01-31'],
  ['monthly', '2027-01-31', '2027-02-28'],
])('%s after %s is %s', (schedule, day, next) => {
  expect(nextDue(schedule as Schedule, day as Day)).toBe(next)
})

test.each([
  ['daily', '2027-01-01', '2026-12-31', '2026-12-31'],
  ['weekly', '2026-11-29', '2026-11-22', '2026-11-28'],
  ['monthly', '2026-12-22', '2026-11-01', '2026-11-30'],
  ['monthly', '2027-01-01', '2026-12-01', '2026-12-31'],
])('what runs %s on %s is about %s to %s', (schedule, day, begin, end) => {
  expect(lastPeriod(schedule as Schedule, day as Day)).toEqual({ begin, end })
})
