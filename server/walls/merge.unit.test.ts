import { expect, test } from 'vitest'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { type Answer, MASKED, type Reading, type Row } from '#kernel/wall/wall-definition.ts'
import { mergeAnswers, finished } from '#server/walls/merge.ts'

const of = defineReport({
  kind: 'merged',
  title: '明细',
  sqlFile: 'none.sql',
  parameters: {},
  columns: { name: f.text('名称'), at: f.instant('时间'), amount: f.amount('金额'), quantity: f.quantity('数量') },
  screens: [],
})
const answer = (rows: readonly Row[], more: Partial<Answer> = {}): Answer => ({
  rows,
  total: rows.length,
  before: {},
  asked: {},
  ...more,
})

test('figures of several hospitals are added by their name, the largest first', () => {
  const reading: Reading = { of, span: 'now', by: ['name'], sums: ['amount', 'quantity'], take: 2 }
  const one = answer([
    { name: '甲', amount: '10.00', quantity: '1.000', rows: '1' },
    { name: '乙', amount: '5.00', quantity: '9.000', rows: '2' },
  ])
  const other = answer([
    { name: '乙', amount: '7.50', quantity: '1.000', rows: '1' },
    { name: '丙', amount: '1.00', quantity: '1.000', rows: '1' },
  ])
  expect(mergeAnswers(reading, [one, other])).toMatchObject({
    total: 3,
    rows: [
      { name: '乙', amount: '12.50', quantity: '10.000', rows: '3' },
      { name: '甲', amount: '10.00' },
    ],
  })
})

test('money that one of them does not show is not shown, and what is shown orders', () => {
  const reading: Reading = { of, span: 'now', by: ['name'], sums: ['amount', 'quantity'] }
  const merged = mergeAnswers(reading, [
    answer([{ name: '甲', amount: MASKED, quantity: '1.000', rows: '1' }]),
    answer([
      { name: '甲', amount: '10.00', quantity: '1.000', rows: '1' },
      { name: '乙', amount: '1.00', quantity: '5.000', rows: '1' },
    ]),
  ])
  expect(merged.rows.map(({ name, amount }) => [name, amount])).toEqual([
    ['乙', '1.00'],
    ['甲', MASKED],
  ])
})

test('the largest of several hospitals is the largest of all', () => {
  const reading: Reading = { of, span: 'now', by: ['name'], sums: ['quantity'], maxima: { hours: 'quantity' } }
  const one = (hours: string) => answer([{ name: '甲', quantity: '1.000', hours, rows: '1' }])
  expect(mergeAnswers(reading, [one('9'), one('10')]).rows).toEqual([
    { name: '甲', quantity: '2.000', hours: '10', rows: '2' },
  ])
})

test('what is compared is added up as well', () => {
  const reading: Reading = { of, span: 'today', sums: ['amount'], against: ['previous'] }
  const day = (now: string, before: string) =>
    answer([{ amount: now, rows: '1' }], { before: { previous: [{ amount: before, rows: '1' }] } })
  expect(mergeAnswers(reading, [day('10.00', '4.00'), day('1.50', '6.00')])).toMatchObject({
    rows: [{ amount: '11.50' }],
    before: { previous: [{ amount: '10.00' }] },
  })
})

test('single rows stand together, the latest first, and all of them are counted', () => {
  const reading: Reading = { of, span: 'now', rows: ['at', 'name'], take: 2 }
  const merged = mergeAnswers(reading, [
    answer([{ at: '2026-01-02', name: '甲' }], { total: 7 }),
    answer(
      [
        { at: '2026-01-03', name: '乙' },
        { at: '2026-01-01', name: '丙' },
      ],
      { total: 2 },
    ),
  ])
  expect(merged.rows.map(({ name }) => name)).toEqual(['乙', '甲'])
  expect(merged.total).toBe(9)
})

test('a median of several hospitals is that of all their samples, and of fewer than three there is none', () => {
  const reading: Reading = { of, span: 'now', by: ['name'], medians: { hours: 'quantity' } }
  const hours = (name: string, samples: string | null) => answer([{ name, hours: samples, rows: '1' }])
  const merged = mergeAnswers(reading, [hours('甲', '2.00,10.00'), hours('甲', '3.00'), hours('乙', '1.00,2.00')])
  expect(finished(reading, merged).rows.map(({ name, hours: middle }) => [name, middle])).toEqual([
    ['甲', '3.0'],
    ['乙', null],
  ])
})
