import { expect, test } from 'vitest'
import { f } from '#kernel/definition/field.ts'
import { momentOf } from '#kernel/values/date.ts'
import { parseValue } from '#kernel/rules/parse-fields.ts'

test.each([
  ['2026-01-31T08:30:00+08:00', '2026-01-31T00:30:00.000Z'],
  ['2026-01-31T08:30+08:00', '2026-01-31T00:30:00.000Z'],
  ['2026-01-31T00:30:00.123456Z', '2026-01-31T00:30:00.123Z'],
  ['2028-02-29T23:59:59Z', '2028-02-29T23:59:59.000Z'],
])('%s is a moment', (text, moment) => {
  expect(momentOf(text)).toBe(moment)
  expect(parseValue(f.instant('时间'), text)).toEqual({ value: moment })
})

test.each([
  '2026-02-29T00:00:00Z',
  '2026-02-30T08:30:00+08:00',
  '2026-01-31T24:00:00Z',
  '2026-01-31T08:60:00Z',
  '2026-01-31T08:30:00',
  '2026-01-31',
  '2026-1-31T08:30:00Z',
  'Jan 31 2026',
  '1',
  ' 2026-01-31T08:30:00Z',
  '2026-01-31T08:30:00+15:00',
  1_769_819_400_000,
  true,
])('%s is none', text => {
  expect(momentOf(text)).toBeNull()
  expect(parseValue(f.instant('时间'), text)).toEqual({
    msg: '【时间】不是有效时间（格式 2026-01-31T08:30:00+08:00）',
  })
})
