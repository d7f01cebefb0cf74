import { expect, test } from 'vitest'
import type { Day } from '#kernel/values/date.ts'
import { nextDue, type Schedule } from '#kernel/values/schedule.ts'

test.each([
  ['daily', '2026-12-31', '2027-01-01'],
  ['weekly', '2026-11-22', '2026-11-29'],
  ['monthly', '2026-11-22', '2026-12-22'],
  ['monthly', '2026-12-31', '2027-01-31'],
  ['monthly', '2027-01-31', '2027-02-28'],
])('%s after %s is %s', (schedule, day, next) => {
  expect(nextDue(schedule as Schedule, day as Day)).toBe(next)
})
