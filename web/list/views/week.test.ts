import { expect, test } from 'vitest'
import type { ScreenView } from '#kernel/definition/screen.ts'
import { carried, dayName, dayOfRow, lanesOfRow, onDay, weekOf } from '#web/list/views/week.ts'

const view = (by: string): ScreenView => ({
  name: 'board',
  label: '按人员',
  at: 'surgery_at',
  shows: [],
  lanes: { by, nobody: '未指派', of: { kind: 'employee' }, moves: ['assign'] },
})

test('a week begins on Monday, over the end of a year too', () => {
  expect(weekOf('2026-11-26')).toEqual([
    '2026-11-23',
    '2026-11-24',
    '2026-11-25',
    '2026-11-26',
    '2026-11-27',
    '2026-11-28',
    '2026-11-29',
  ])
  expect(weekOf('2026-11-29')[0]).toBe('2026-11-23')
  expect(weekOf('2027-01-01')[0]).toBe('2026-12-28')
  expect(dayName('2026-11-29')).toBe('11-29 周日')
})

test('a row stands on its day in China, and keeps its time on another', () => {
  expect(dayOfRow(view('kit_codes'), { surgery_at: '2026-11-25T16:30:00.000Z' })).toBe('2026-11-26')
  expect(dayOfRow(view('kit_codes'), { surgery_at: null })).toBeNull()
  expect(onDay('2026-11-25T16:30:00.000Z', '2026-11-26', '2026-11-28')).toBe('2026-11-27T16:30:00.000Z')
})

test('a row with two kits stands in both lanes, and gives up the one it is carried out of', () => {
  const row = { kit_codes: ['A1', 'B2'], technician_inner_sn: '7' }
  expect(lanesOfRow(view('kit_codes'), row)).toEqual(['A1', 'B2'])
  expect(carried(view('kit_codes'), row, 'A1', 'C3')).toEqual(['B2', 'C3'])
  expect(carried(view('kit_codes'), row, 'A1', 'B2')).toEqual(['B2'])
  expect(lanesOfRow(view('technician_inner_sn'), row)).toEqual(['7'])
  expect(carried(view('technician_inner_sn'), row, '7', '8')).toBe('8')
  expect(lanesOfRow(view('technician_inner_sn'), {})).toEqual([''])
})
