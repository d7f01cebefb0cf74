import { expect, test } from 'vitest'
import { againstLabels } from '#kernel/values/comparison.ts'
import { reports } from '#app/modules.ts'

/** Every column that is called 环比 or 同比 is written by the one function for changes, and none compares unsaid. */
test('columns of changes say against what they compare', () => {
  const changes = reports.flatMap(({ kind, columns }) =>
    Object.entries(columns).flatMap(([name, field]) =>
      /环比|同比/.test(field.label) || field.compares !== undefined ? [{ kind, name, field }] : [],
    ),
  )
  expect(changes.length).toBeGreaterThan(10)
  const unsaid = changes.filter(({ field }) => againstLabels[field.compares!] !== field.label)
  expect(unsaid.map(({ kind, name }) => `${kind}.${name}`)).toEqual([])
})
