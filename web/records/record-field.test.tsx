import { expect, test } from 'vitest'
import { documents, entities } from '#kernel/registry.ts'
import { documentColumns, filterField } from '#web/list/table/column.ts'
import { recordColumns, recordFilters } from '#web/records/record-field.ts'

const named = [...documents(), ...entities()].flatMap(definition =>
  definition.screens.flatMap(screen =>
    Object.entries(screen.labels ?? {}).map(([name, label]) => ({ definition, screen, name, label: String(label) })),
  ),
)

test('some pages call a column otherwise than the record does', () => {
  expect(named.map(({ screen, name }) => [screen.route, name])).toContainEqual(['/ptm/productSelf', 'code'])
})

test.each(named)(
  '$screen.route heads $name with $label, as its filter does unless that has a word of its own',
  ({ definition, screen, name, label }) => {
    const columns =
      definition.is === 'document'
        ? documentColumns(definition, screen)
        : recordColumns(definition, screen.columns, screen)
    const filters =
      definition.is === 'document'
        ? screen.filters.map(filter => ({ name: filter, field: filterField(definition, filter, screen) }))
        : recordFilters(definition, screen)
    const shown = [
      ...columns.flatMap(column => (column.name === name ? [column.title] : [])),
      ...filters.flatMap(filter =>
        filter.name === name && screen.filterLabels?.[name] === undefined ? [filter.field.label] : [],
      ),
    ]
    expect(new Set(shown)).toEqual(new Set([label]))
  },
)

test('a kind of document calls a common column by its own word, on every page that lists it', () => {
  const words = documents().flatMap(definition =>
    definition.screens.flatMap(screen =>
      Object.entries(definition.lifecycle.columnLabels ?? {}).flatMap(([name, label]) =>
        documentColumns(definition, screen)
          .filter(column => column.name === name)
          .map(column => ({ kind: definition.kind, title: column.title, label: screen.labels?.[name] ?? label })),
      ),
    ),
  )
  expect(words.map(({ kind, title }) => [kind, title])).toContainEqual(['arrivalOrder', '到货数量'])
  expect(words.filter(({ title, label }) => title !== label)).toEqual([])
})

test('filters of review pages are called by what is asked for: days, and a range of amounts', () => {
  const filters = documents().flatMap(definition =>
    definition.screens.flatMap(screen =>
      screen.filters.map(name => ({ screen, name, label: filterField(definition, name, screen).label })),
    ),
  )
  const labelsOf = (name: string, pages = filters) =>
    new Set(pages.filter(filter => filter.name === name).map(({ label }) => label))
  expect(labelsOf('submitted_at')).toEqual(new Set(['提交日期']))
  const signing = filters.filter(({ screen }) => screen.where?.mine === 'waiting' || screen.where?.mine === 'signed')
  expect(labelsOf('taxed_amount', signing)).toEqual(new Set(['金额区间']))
})
