import { expect, test } from 'vitest'
import { provinceOf } from '#kernel/wall/board-table.ts'
import { boards } from '#kernel/registry.ts'
import type { BoardTable } from '#kernel/wall/board-table.ts'
import { rowsDrawn } from '#web/charts/pictures/picture.ts'
import { optionOf } from '#web/charts/pictures/picture-option.ts'
import { COLUMNS, middleOf, ROWS, tiles } from '#web/charts/pictures/tile-map.ts'
import { pictureOf } from '#web/board/card-picture.ts'

test('each of the 34 divisions of province level has a tile of its own, within the diagram', () => {
  const places = Object.values(tiles)
  expect(places).toHaveLength(34)
  expect(new Set(places.map(String)).size).toBe(34)
  expect(places.every(([x, y]) => x >= 0 && x < COLUMNS && y >= 0 && y < ROWS)).toBe(true)
  for (const name of Object.keys(tiles)) expect(provinceOf(`${name}某市`)).toBe(name)
  expect(provinceOf('江苏省苏州市吴中区')).toBe('江苏')
  expect(provinceOf('内蒙古自治区呼和浩特市')).toBe('内蒙古')
  expect(provinceOf('')).toBeNull()
  expect(middleOf('火星')).toBeNull()
})

const board = boards()[0]!
const card = (name: string, org = 'H') =>
  board.cards.find(each => each.name === name && (each.orgs as string).includes(org))!
const row = (label: string, cells: Record<string, string | null>, more: object = {}) => ({
  label,
  key: label,
  cells,
  of: 'all',
  row: {},
  ...more,
})
const table = (rows: BoardTable['rows'], columns = ['now']): BoardTable => ({
  head: '',
  columns: columns.map(name => ({ name, label: name, as: 'quantity' })),
  rows,
  level: null,
})
const given = { theme: 'light', fontFamily: 'x', say: String, sayRow: String, chosen: null } as const

test('a map has a line between two provinces, colours both, and draws none within one', () => {
  const rows = [
    row('甲 → 乙', { now: '5', from: '上海', to: '江苏' }),
    row('丙 → 乙', { now: '2', from: '江苏', to: '江苏' }),
    row('丁 → 乙', { now: '1', from: null, to: '江苏' }),
  ]
  const picture = pictureOf(card('map'), table(rows), 'line')!
  expect(picture).toMatchObject({ shape: 'map', tiles: { 上海: 5, 江苏: 8 } })
  expect(rowsDrawn(picture)).toEqual([0, 1])
  const { series } = optionOf({ ...given, picture }) as { series: { type: string; data: object[] }[] }
  expect(series.find(({ type }) => type === 'lines')!.data).toMatchObject([{ at: 0 }])
})

test('what nothing is taken of stands at the end of the axis of days, and what is not there nowhere', () => {
  const band = { row: { expiry_band: 'expired' } }
  const rows = [
    row('甲', { now: '90', across: '12.5', band: '已过期' }, band),
    row('乙', { now: '40', across: null, band: '已过期' }, band),
    row('丙', { now: '0', across: '3', band: '已过期' }, band),
  ]
  const picture = pictureOf(card('health'), table(rows, ['across', 'now', 'band']), 'line')!
  expect(picture).toMatchObject({
    shape: 'scatter',
    points: [
      { x: 12.5, y: 90, tone: 'danger', at: 0 },
      { x: 10_000, y: 40, at: 1 },
    ],
  })
})

test('a trend is a line with its comparison dotted, bars, or the days of a calendar', () => {
  const rows = [row('2026-11-01', { now: '3', before: '1' }), row('2026-11-02', { now: '0', before: '2' })]
  const trend = (shape: 'line' | 'bars' | 'days') => pictureOf(card('trend'), table(rows, ['now', 'before']), shape)
  expect(trend('line')).toMatchObject({ series: [{ values: [3, 0] }, { values: [1, 2], dotted: true }], asBars: false })
  expect(trend('bars')).toMatchObject({ asBars: true })
  expect(trend('days')).toMatchObject({ shape: 'calendar', days: [{ day: '2026-11-01', value: 3, at: 0 }, { at: 1 }] })
})

test('steps stand upon each other with the gap to the one before', () => {
  const rows = [row('使用', { now: '10' }), row('结算', { now: '6' }), row('开票', { now: '8' })]
  const picture = pictureOf(card('money'), table(rows), 'line')!
  const { series } = optionOf({ ...given, picture }) as unknown as {
    series: { data: (number | { value: number })[] }[]
  }
  expect(series[0]!.data).toEqual([0, 6, 6])
  expect(series[1]!.data).toMatchObject([{ value: 0 }, { value: 4 }, { value: 2 }])
})

test('flows with no pieces are not drawn, and a name may stand at both ends', () => {
  const rows = [
    row('a', { now: '4' }, { row: { supplier_name: '甲', department_name: '甲' } }),
    row('b', { now: '0' }, { row: { supplier_name: '乙', department_name: '甲' } }),
  ]
  const picture = pictureOf(card('flow'), table(rows), 'line')!
  expect(picture).toMatchObject({ shape: 'sankey', links: [{ source: '0 甲', target: '1 甲', value: 4, at: 0 }] })
})

test('every card of every kind of organisation can be drawn, and nothing is drawn of nothing', () => {
  for (const each of board.cards) expect(pictureOf(each, table([]), 'line')).toBeNull()
})
