import { today } from '#kernel/day.ts'
import { f } from '#kernel/field.ts'
import type { AnyReport } from '#kernel/report.ts'
import type { Query } from '#web/engine/page.ts'
import type { Filter } from '#web/list/FilterBar.tsx'

const BEGIN = 'begin_'

/** A report's parameters as filters. A first and a last day that belong together are one range. */
export const reportFilters = (definition: AnyReport): readonly Filter[] =>
  Object.entries(definition.params).flatMap(([name, field]): readonly Filter[] => {
    const stem = name.startsWith(BEGIN) ? name.slice(BEGIN.length) : null
    if (stem !== null && `end_${stem}` in definition.params) return [{ name: stem, field: f.day('日期') }]
    if (name.startsWith('end_') && `${BEGIN}${name.slice(4)}` in definition.params) return []
    return [{ name, field, single: true }]
  })

/** What a report asks for before anybody chose: this month up to today. */
export const standingParams = (definition: AnyReport): Query =>
  Object.fromEntries(
    Object.entries(definition.params).flatMap(([name, field]): [string, string][] => {
      if (field.default === 'month') return [[name, today().slice(0, 7)]]
      if (field.as !== 'day' || !field.required) return []
      return [[name, name.startsWith(BEGIN) ? `${today().slice(0, 8)}01` : today()]]
    }),
  )
