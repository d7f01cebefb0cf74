import { expect, test } from 'vitest'
import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { drawingOf, trendOf } from '#web/charts/report-chart.ts'

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

const planned = defineReport({
  kind: 'chartMonths',
  title: '用量',
  sqlFile: 'none.sql',
  parameters: {},
  columns: { goods: f.text('产品'), size: f.text('规格'), unit: f.text('单位') },
  beside: { months: f.text('各月用量') },
  trend: { title: '逐月用量', months: 'months', name: ['goods', 'size'], unit: 'unit' },
  screens: [],
})

test('趋势图 draws the months of each row as a line with its name, and a month that it lacks as a gap', () => {
  const rows = [
    { goods: '球囊', size: '2.0', unit: '支', months: '2026-01=5,2026-02=0,2026-03=7.5' },
    { goods: '支架', size: null, unit: '支', months: '2026-03=2' },
  ]
  expect(trendOf(planned, rows)).toEqual({
    title: '逐月用量',
    unit: '支',
    shape: 'lines',
    axis: ['2026-01', '2026-02', '2026-03'],
    series: [
      { name: '球囊 · 2.0', values: [5, 0, 7.5] },
      { name: '支架', values: [Number.NaN, Number.NaN, 2] },
    ],
  })
})

test('units that differ stand beside the names; more rows than can be told apart are not drawn', () => {
  const rows = ['支', '盒', '支', '支', '支', '支', '支'].map((unit, at) => ({
    goods: `品${at}`,
    size: null,
    unit,
    months: '2026-01=1',
  }))
  const drawing = trendOf(planned, rows)!
  expect(drawing.unit).toBeUndefined()
  expect(drawing.series.map(({ name }) => name).slice(0, 2)).toEqual(['品0（支）', '品1（盒）'])
  expect(drawing.series).toHaveLength(6)
  expect([trendOf(planned, []), trendOf(lines, rows)]).toEqual([null, null])
})
