import { expect, test } from 'vitest'
import '#app/modules.ts'
import { documents, entities } from '#kernel/registry.ts'
import { parseValue } from '#kernel/rules/parse-fields.ts'
import { defaultOf } from '#kernel/values/defaults.ts'

test('a form begins with values that its fields take', () => {
  const fields = [
    ...documents().flatMap(({ kind, header, lines }) => [header, lines].map(all => [kind, all] as const)),
    ...entities().map(({ kind, fields: all }) => [kind, all] as const),
  ].flatMap(([kind, all]) => Object.entries(all).map(([name, field]) => [`${kind}.${name}`, field] as const))
  const begun = fields.filter(([, field]) => field.default !== undefined)
  expect(begun.length).toBeGreaterThan(100)
  expect(begun.filter(([, field]) => field.as === 'day').length).toBeGreaterThan(5)
  expect(begun.filter(([, field]) => 'msg' in parseValue(field, defaultOf(field))).map(([name]) => name)).toEqual([])
})
