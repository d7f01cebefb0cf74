import { expect, test } from 'vitest'
import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { drawingOf } from '#web/charts/report-chart.ts'

const lines = defineReport({
  kind: 'chartLines',
  title: '明细',
  sqlFile: 'none.sql',
  parameters: { begin_date: f.day('开始日期'), end_date: f.day('结束日期') },
  columns: { day: f.day('日期'), store: f.text('仓库'), amount: f.amount('金额') },
  screens: [],
})
const report = defineAnalysis({
  kind: 'chartSum',
  title: '统计',
  of: lines,
  day: 'day',
  dimensions: { store: {} },
  standard: ['period', 'store'],
  columns: { amount: f.amount('金额') },
  measures: { amount: { sum: 'amount' } },
  main: 'amount',
  screens: [],
})

test('over time a line for each of the largest groups, and one for all others that keeps the sum', () => {
  const rows = Array.from({ length: 8 }, (_, at) => [
    { period: '2026-02', store: `库${at}`, amount: String(at) },
    { period: '2026-01', store: `库${at}`, amount: '1.00' },
  ]).flat()
  const drawing = drawingOf(report, undefined, rows)!
  expect(drawing.axis).toEqual(['2026-01', '2026-02'])
  expect(drawing.series.map(({ name }) => name)).toEqual(['库7', '库6', '库5', '库4', '库3', '库2', '其他'])
  expect(drawing.series.at(-1)!.values).toEqual([2, 1])
})

test('a period in which a group has nothing is drawn as nothing', () => {
  const rows = [
    { period: '2026-01', store: '甲', amount: '5.00' },
    { period: '2026-02', store: '乙', amount: '3.00' },
  ]
  expect(drawingOf(report, undefined, rows)!.series).toEqual([
    { name: '甲', values: [5, 0] },
    { name: '乙', values: [0, 3] },
  ])
})

test('without a period the largest groups are bars, in order of size', () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({ store: `库${at}`, amount: String(at) }))
  const drawing = drawingOf(report, 'store', rows)!
  expect(drawing).toMatchObject({ shape: 'bars', title: '金额' })
  expect(drawing.axis).toHaveLength(20)
  expect(drawing.axis[0]).toBe('库29')
})

test('nothing is drawn of a list, nor of an analysis without rows', () => {
  expect(drawingOf(lines, undefined, [{ store: '甲', amount: '1' }])).toBeNull()
  expect(drawingOf(report, undefined, [])).toBeNull()
})
