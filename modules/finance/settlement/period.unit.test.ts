import { expect, it } from 'vitest'
import { lastPeriod } from '#modules/finance/settlement/period.ts'

it('月结算日: the last ended period, settlement day included; from 29 on the last day of each month', () => {
  const of = (day: string, closes: number) => {
    const { begin, end } = lastPeriod(day as never, closes)
    return `${begin} ${end}`
  }
  expect(of('2026-11-25', 25)).toBe('2026-10-26 2026-11-25')
  expect(of('2026-11-24', 25)).toBe('2026-09-26 2026-10-25')
  expect(of('2026-01-10', 20)).toBe('2025-11-21 2025-12-20')
  expect(of('2026-03-01', 1)).toBe('2026-02-02 2026-03-01')
  expect(of('2026-02-28', 31)).toBe('2026-02-01 2026-02-28')
  expect(of('2026-03-30', 31)).toBe('2026-02-01 2026-02-28')
})
