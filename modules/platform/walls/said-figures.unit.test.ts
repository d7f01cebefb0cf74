import { beforeAll, expect, test } from 'vitest'
import { headerField } from '#kernel/definition/common-fields.ts'
import { saysOf } from '#kernel/definition/dashboard.ts'
import type { FieldSpec } from '#kernel/definition/field.ts'
import { derivedField } from '#kernel/definition/progress-fields.ts'
import { columnField } from '#kernel/definition/report.ts'
import { boards, documentOf, entityOf, reportOf, reports, walls } from '#kernel/registry.ts'
import type { Reading } from '#kernel/wall/wall-definition.ts'
import { homeCards } from '#modules/platform/workbench/hospital-home.ts'
import { registerModules } from '#app/composition.ts'
import { hooks } from '#server/registry/hooks.ts'

/** Each figure of a wall, a board, a home page or a process chart says what it counts, and leads to what it counts. */
beforeAll(() => registerModules())

type Figure = {
  readonly name: string
  readonly reading: Pick<Reading, 'of' | 'where'>
  readonly column: string
  readonly hint?: string | undefined
  readonly list?: unknown
}

const figures = (): readonly Figure[] => [
  ...walls().flatMap(wall =>
    wall.cards.flatMap(({ name, draws, reads }) =>
      (draws.form === 'numbers' ? draws.figures : draws.form === 'gauge' ? [draws.part, draws.whole] : []).map(
        each => ({
          name: `${wall.kind}.${name} ${each.label}`,
          reading: { ...reads[each.of]!, where: { ...reads[each.of]!.where, ...each.where } },
          column: each.column,
          hint: each.hint,
          list: each.list,
        }),
      ),
    ),
  ),
  ...boards().flatMap(board =>
    board.figures.flatMap(({ name, reading, column, hint, list }) =>
      reading && column ? [{ name: `${board.kind} ${name}`, reading, column, hint, list }] : [],
    ),
  ),
]

test('each figure of walls and boards says what it counts', () => {
  const silent = figures().filter(({ reading, column, hint }) => !hint && !columnField(reading.of, column)?.hint)
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('a figure that is a measure says the sentence of the measure', () => {
  const others = figures().filter(({ reading, column, hint }) => {
    const measure = columnField(reading.of, column)?.measures?.[0]
    return measure !== undefined && hint !== undefined && hint !== measure.says
  })
  expect(others.map(({ name }) => name)).toEqual([])
})

/** The platform's figures over organisations whose rows it does not read. */
const OF_OTHERS = ['biScreen active', 'biScreen documents', 'biScreen moved', 'biScreen scanned']

test('each figure of walls and boards leads to a page', () => {
  const dead = figures().filter(
    ({ name, reading, column, list }) =>
      list === undefined &&
      reading.of.screens.length === 0 &&
      columnField(reading.of, column)?.measures === undefined &&
      !OF_OTHERS.includes(name),
  )
  expect(dead.map(({ name }) => name)).toEqual([])
})

test('behind each gauge is a page that adds up both its figures, or that of their measures', () => {
  const gauges = walls().flatMap(({ kind, screen, cards }) =>
    cards.flatMap(({ name, draws, reads }) =>
      draws.form === 'gauge'
        ? [draws.part, draws.whole].map(each => ({ ...each, at: `${kind}.${name}`, ...reads[each.of]!, screen }))
        : [],
    ),
  )
  expect(gauges.length).toBeGreaterThan(10)
  const unexplained = gauges.filter(({ of, column, screen }) => {
    const isAdded = (of.totals as readonly string[] | undefined)?.includes(column)
    const isOpened = of.screens.some(({ orgs }) => [...screen.orgs].every(org => org === 'P' || orgs.includes(org)))
    return !(isAdded && isOpened) && columnField(of, column)?.measures === undefined
  })
  expect(unexplained.map(({ at, column }) => `${at} ${column}`)).toEqual([])
})

test('a list that a figure names is a list of hospitals, narrowed by filters that it has', () => {
  const wrong = walls().flatMap(({ kind: wall, cards }) =>
    cards.flatMap(({ draws, reads }) =>
      (draws.form === 'numbers' ? draws.figures : []).flatMap(({ label, of, list }) => {
        if (list === undefined) return []
        const screens = (entityOf(list.kind)?.screens ?? []).filter(({ orgs }) => orgs.includes('H'))
        const given = Object.entries(list.with ?? {})
        const isNarrowed = screens.some(({ filters, where = {} }) =>
          given.every(([name, value]) => filters.includes(name as never) || where[name] === value),
        )
        const isGiven = given.every(([, from]) => !from.startsWith('=') || from.slice(1) in reads[of]!.of.parameters)
        return screens.length > 0 && isNarrowed && isGiven ? [] : [`${wall} ${label}`]
      }),
    ),
  )
  expect(wrong).toEqual([])
})

test('a column of changes says in words with which days it compares', () => {
  const changes = reports().flatMap(({ kind, columns }) =>
    Object.entries(columns).flatMap(([name, { label, compares }]) => {
      const against = label.includes('同比') ? 'year' : label.includes('环比') ? 'previous' : null
      return against === null ? [] : [{ column: `${kind}.${name}`, against, compares }]
    }),
  )
  expect(changes.length).toBeGreaterThan(8)
  expect(changes.filter(({ against, compares }) => compares !== against)).toEqual([])
})

test('each sum of the home page says what it counts', () => {
  const fieldOf = (kind: string, name: string): FieldSpec | undefined => {
    const [document, record] = [documentOf(kind), entityOf(kind)]
    if (document) return headerField(document, name) ?? derivedField(document, name)
    return record ? record.fields[name] : reportOf(kind)!.columns[name]
  }
  const silent = homeCards.flatMap(({ key, figures: all }) =>
    all.flatMap(({ kind, sum, hint, label }) =>
      sum !== undefined && !hint && !fieldOf(kind, sum)?.hint ? [`${key} ${label}`] : [],
    ),
  )
  expect(silent).toEqual([])
})

test('each figure of a process chart says what it counts, and leads to a page', () => {
  const all = hooks().processCharts.flatMap(({ flow: { cards, steps } }) => [
    ...cards,
    ...steps.flatMap(step => (step.money ?? []).map(money => ({ kind: step.kind, ...money }))),
  ])
  expect(all.length).toBeGreaterThan(10)
  const lacking = all.filter(
    each => !saysOf(each) || !(documentOf(each.kind!) ?? entityOf(each.kind!) ?? reportOf(each.kind!)),
  )
  expect(lacking.map(({ figure }) => figure)).toEqual([])
})
