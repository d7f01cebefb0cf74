import { expect, test } from 'vitest'
import { reports } from '#app/modules.ts'
import { GROUP_BY, reportFilters, standingParams } from '#web/list/report/report-params.ts'

test('a choice that a report takes for granted stands in its filter: 全部 would be another question', () => {
  const granted = reports.flatMap(report =>
    Object.entries(report.parameters).flatMap(([name, field]) =>
      field.as === 'pick' && typeof field.default === 'string' ? [{ report, name, choice: field.default }] : [],
    ),
  )
  expect(granted.length).toBeGreaterThan(2)
  for (const { report, name, choice } of granted) expect(standingParams(report)[name], report.kind).toBe(choice)
})

test('rows that stand one by one are grouped by sentences; an analysis names its dimensions', () => {
  for (const report of reports.filter(({ groupBy }) => groupBy !== undefined)) {
    const choices = reportFilters(report, () => true).find(({ name }) => name === GROUP_BY)!.field.choices!
    for (const [name, label] of Object.entries(choices)) {
      const own = report.columns[name]!.label
      expect([report.kind, label]).toEqual([report.kind, report.analysis ? own : `按${own.replace(/名称$/, '')}汇总`])
    }
  }
  const inventory = reportFilters(reports.find(({ kind }) => kind === 'inventoryDetail')!, () => true)
  expect(inventory.find(({ name }) => name === GROUP_BY)!.field.choices).toMatchObject({ product_name: '按产品汇总' })
})
