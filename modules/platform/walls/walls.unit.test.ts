import { expect, test } from 'vitest'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { daysOf, defineWall, type Drawing, stepsOf, type WallCard } from '#kernel/wall/wall-definition.ts'
import type { Day } from '#kernel/values/date.ts'
import { walls } from '#modules/platform/walls/all-walls.ts'

const cards = walls.flatMap(({ kind, cards: all }) => all.map(card => ({ wall: kind, card })))
const placed = walls.map(({ kind, cards: all }) => ({ kind, all }))

test.each(placed)('the cards of $kind stand on its grid, and none upon another', ({ all }) => {
  const taken = new Map<string, string>()
  const wrong: string[] = []
  for (const {
    name,
    at: [column, row, width, height],
  } of all) {
    if (column + width > 24 || row + height > 12) wrong.push(`${name} stands beyond the grid`)
    for (let x = column; x < column + width; x++)
      for (let y = row; y < row + height; y++) {
        const other = taken.get(`${x} ${y}`)
        if (other !== undefined) wrong.push(`${name} stands upon ${other}`)
        taken.set(`${x} ${y}`, name)
      }
  }
  expect([...new Set(wrong)]).toEqual([])
})

/** The readings that a drawing names, with their columns. */
function named(draws: Drawing): readonly (readonly [reading: string, column: string])[] {
  if (draws.form === 'own') return []
  if (draws.form === 'numbers') return draws.figures.map(({ of, column }) => [of, column] as const)
  if (draws.form === 'lines') return draws.series.map(({ of, value }) => [of, value] as const)
  if (draws.form === 'list') return draws.columns.map(column => [draws.of, column] as const)
  if (draws.form === 'gauge') return [draws.part, draws.whole].map(({ of, column }) => [of, column] as const)
  if (draws.form === 'stations')
    return [
      ...['station', 'place', 'done', 'waiting', 'median_hours'].map(column => [draws.of, column] as const),
      ...['station', 'waiting_kind', 'waiting_states', 'waiting'].map(column => [draws.kinds, column] as const),
    ]
  return [draws.label, ...draws.values].map(column => [draws.of, column] as const)
}

const readOf = ({ reads }: WallCard, name: string): readonly string[] => {
  const reading = reads[name]
  if (reading === undefined) return []
  const { rows = [], by = [], sums = [], counts = {}, maxima = {}, medians = {}, rates = {} } = reading
  return [
    ...rows,
    ...by,
    ...sums,
    ...Object.keys(counts),
    ...Object.keys(maxima),
    ...Object.keys(medians),
    ...Object.keys(rates),
    'rows',
    'step',
  ]
}

test('a card draws what it reads, and reads columns that its report has', () => {
  const wrong = cards.flatMap(({ wall, card }) => [
    ...named(card.draws)
      .filter(([reading, column]) => !readOf(card, reading).includes(column))
      .map(([reading, column]) => `${wall}.${card.name} draws ${column} of ${reading}`),
    ...Object.entries(card.reads).flatMap(([name, { of, sums = [], where = {} }]) => [
      ...sums.filter(column => !(column in of.columns)).map(column => `${wall}.${card.name}.${name} sums ${column}`),
      ...Object.keys(where)
        .filter(parameter => !(parameter in of.parameters))
        .map(parameter => `${wall}.${card.name}.${name} narrows by ${parameter}`),
    ]),
  ])
  expect(wrong).toEqual([])
})

test('a figure that can be money is drawn by something else where money is hidden', () => {
  const lacking = cards.flatMap(({ wall, card: { name, draws, reads } }) =>
    draws.form === 'bars' || draws.form === 'ring' || draws.form === 'columns' || draws.form === 'areas'
      ? draws.values.every(value => reads[draws.of]!.of.columns[value]?.as === 'amount')
        ? [`${wall}.${name}`]
        : []
      : [],
  )
  expect(lacking).toEqual([])
})

test('a card leads to a wall by filters that this wall has', () => {
  const wrong = cards.flatMap(({ wall, card: { name, leads } }) => {
    const target = walls.find(({ kind }) => kind === leads?.to)
    return Object.keys(target === undefined ? {} : (leads?.with ?? {}))
      .filter(filter => !(filter in target!.filters))
      .map(filter => `${wall}.${name} gives ${filter} to ${target!.kind}`)
  })
  expect(wrong).toEqual([])
})

test('a wall with a person on it is no wall', () => {
  const of = defineReport({
    kind: 'persons',
    title: '人员',
    sqlFile: 'none.sql',
    parameters: {},
    columns: { patient_name: f.patient('患者姓名'), doctor_name: f.text('主刀医生') },
    screens: [],
  })
  const [front] = walls
  const showing = (column: string) => () =>
    defineWall({
      ...front!,
      cards: [
        {
          name: 'persons',
          title: '人员',
          at: [0, 0, 1, 1],
          reads: { all: { of, span: 'now', rows: [column] } },
          draws: { form: 'list', of: 'all', columns: [column], empty: '' },
        },
      ],
    })
  expect(showing('patient_name')).toThrow('would show patient_name')
  expect(showing('doctor_name')).toThrow('would show doctor_name')
})

test('a year is twelve months that end today, a month thirty days', () => {
  const asked = { begin: '2026-03-02' as Day, end: '2026-03-05' as Day }
  const day = '2026-03-05' as Day
  expect(stepsOf('year', day)).toHaveLength(12)
  expect(stepsOf('year', day).at(0)).toBe('2025-04')
  expect(daysOf('year', asked, day)).toEqual({ begin: '2025-04-01', end: day })
  expect(stepsOf('month', day).at(0)).toBe('2026-02-04')
  expect(daysOf('month', asked, day)).toEqual({ begin: '2026-02-04', end: day })
  expect(daysOf('today', asked, day)).toEqual({ begin: day, end: day })
  expect(daysOf('asked', asked, day)).toEqual(asked)
})
