import { expect, test } from 'vitest'
import { reports } from '#app/modules.ts'
import { standingParams } from '#web/list/report/report-params.ts'

test('a choice that a report takes for granted stands in its filter: 全部 would be another question', () => {
  const granted = reports.flatMap(report =>
    Object.entries(report.parameters).flatMap(([name, field]) =>
      field.as === 'pick' && typeof field.default === 'string' ? [{ report, name, choice: field.default }] : [],
    ),
  )
  expect(granted.length).toBeGreaterThan(2)
  for (const { report, name, choice } of granted) expect(standingParams(report)[name], report.kind).toBe(choice)
})
