import { expect, test } from 'vitest'
import { f } from '#kernel/definition/field.ts'
import { compare, type Decimal, isZero } from '#kernel/values/decimal.ts'
import { parseValue } from '#kernel/rules/parse-fields.ts'

/** Each kind of field reads a value of the wire, or refuses it with a sentence that has the field's name. */
const figures = { 数量: f.quantity('数量'), 单价: f.price('单价'), 金额: f.amount('金额'), 比例: f.rate('比例') }
const counts = { 天数: f.count('天数'), 税率: f.taxRate('税率') }
const said = (field: Parameters<typeof parseValue>[0], raw: unknown): unknown => {
  const parsed = parseValue(field, raw)
  return 'msg' in parsed ? parsed.msg : parsed.value
}
const refused = (label: string) => expect.stringMatching(new RegExp(`^【${label}】.*[\\u4e00-\\u9fff]`))

const noFigures = ['1e3', '1,5', '１２', '0x10', '1.', '.5', '--1', '+1e1', 'Infinity', 'NaN', '1 2', '1_000', '١', '½']
test.each(Object.entries({ ...figures, ...counts }))('%s refuses figures in any other notation', (label, field) => {
  for (const raw of [...noFigures, Number.NaN, Number.POSITIVE_INFINITY, 1e21, true, [], {}, ['1']])
    expect([raw, said(field, raw)]).toEqual([raw, refused(label)])
})

test.each(Object.entries(figures))('%s reads a figure as it is written', (_label, field) => {
  for (const raw of ['1', ' 1 ', '01', '1.00', 1]) expect(compare(said(field, raw) as Decimal, '1')).toBe(0)
  expect(isZero(said(field, '-0') as Decimal)).toBe(true)
})

test('a rate has one form: documents keep it as text', () => {
  for (const [raw, kept] of [
    ['06', '6'],
    ['13.0', '13'],
    ['-0.000', '0'],
    [' 0.125 ', '0.125'],
  ])
    expect(said(f.rate('比例'), raw)).toBe(kept)
})

test.each([
  ...Object.entries(figures),
  ['批号', f.lot('批号')] as const,
  ['产品', f.ref('产品', 'specification')] as const,
])('%s refuses a number of JSON that has lost digits', (label, field) => {
  for (const raw of JSON.parse('[12345678901234.5678, 123456789012345678, 9007199254740993, 1e21, -5e30]') as number[])
    expect([raw, said(field, raw)]).toEqual([raw, refused(label)])
})

test('a text that is sent as a number is one without decimals: 1.10 would be 1.1', () => {
  expect(said(f.lot('批号'), 20260101)).toBe('20260101')
  expect(said(f.lot('批号'), 1.1)).toEqual(refused('批号'))
})

test('a day is written in one way', () => {
  const day = f.day('日期')
  for (const raw of [
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '26-1-1',
    '20260101',
    '2026-1-1',
    '2026/01/01',
    ' 2026-01-01',
    20260101,
  ])
    expect([raw, said(day, raw)]).toEqual([raw, refused('日期')])
  expect(said(day, '2028-02-29')).toBe('2028-02-29')
})

test('a moment has a day, a time and a zone, and a year of four digits in every zone', () => {
  const moment = f.instant('时间')
  const wrong = [
    '2026-01-01T25:00',
    '2026-01-01T25:00:00Z',
    '2026-02-30T08:00:00Z',
    '2026-01-01T08:00:00',
    '2026-01-01',
    '2026-01-01T08:00:00+99:99',
    '+275760-09-13T00:00:00Z',
    '9999-12-31T23:59:59-14:00',
    '0001-01-01T00:00:00+14:00',
    '1767225600000',
    1767225600000,
  ]
  for (const raw of wrong) expect([raw, said(moment, raw)]).toEqual([raw, refused('时间')])
  expect(said(moment, '2026-01-01T08:00+08:00')).toBe('2026-01-01T00:00:00.000Z')
})
