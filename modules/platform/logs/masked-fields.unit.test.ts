import { expect, test } from 'vitest'
import type { Fields } from '#kernel/definition/field.ts'
import { maskRow } from '#server/audit/operation-log.ts'
import { documents, entities, reports } from '#app/modules.ts'

/** Every part of a kind that the log may contain: rows, lines, inputs of calls, filters of exports. */
const parts: readonly (readonly [kind: string, fields: Fields | undefined])[] = [
  ...documents.flatMap(one => [
    [one.kind, one.header] as const,
    [one.kind, one.lines] as const,
    ...Object.values(one.lifecycle?.listActions ?? {}).map(({ inputs }) => [one.kind, inputs] as const),
  ]),
  ...entities.flatMap(one => [
    [one.kind, one.fields] as const,
    [one.kind, one.extras] as const,
    ...Object.values(one.actions ?? {}).map(({ asks }) => [one.kind, asks] as const),
    ...Object.values(one.calls ?? {}).map(({ asks }) => [one.kind, asks] as const),
  ]),
  ...reports.flatMap(one => [
    [one.kind, one.parameters] as const,
    [one.kind, one.columns] as const,
    ...Object.values(one.calls ?? {}).map(({ asks }) => [one.kind, asks] as const),
  ]),
]

test('no field of any kind that is marked as a patient or a secret stands in the log, wherever it is written', () => {
  const shown: string[] = []
  let asked = 0
  for (const [kind, fields] of parts)
    for (const [name, field] of Object.entries(fields ?? {})) {
      if (!field.patient && !field.secret) continue
      asked += 1
      const row = {
        [name]: 'NAMED',
        lines: [{ line_no: 1, [name]: 'NAMED' }],
        conditions: { [name]: 'NAMED', [`begin_${name}`]: 'NAMED', [`end_${name}`]: 'NAMED', q: 'NAMED' },
      }
      if (JSON.stringify(maskRow(kind, row)).includes('NAMED')) shown.push(`${kind}.${name}`)
    }
  expect(asked).toBeGreaterThan(80)
  expect(shown).toEqual([])
})
