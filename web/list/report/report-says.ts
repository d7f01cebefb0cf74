import { PERIOD } from '#kernel/definition/analysis.ts'
import { comparedWords, type Grain } from '#kernel/values/comparison.ts'
import type { FieldSpec } from '#kernel/definition/field.ts'
import { type AnyReport, groupsAsked } from '#kernel/definition/report.ts'
import { isDay, today } from '#kernel/values/date.ts'
import type { Query } from '#web/engine/page-context.ts'
import { daysSaid } from '#web/fields/Explained.tsx'
import { GROUP_BY, standingParams } from '#web/list/report/report-params.ts'

/** The explanation of a figure of a report, and the days with which a change compares; empty for a name or a day. */
export function saysOf(definition: AnyReport, field: FieldSpec, query: Query): readonly string[] {
  const compared = comparisonSaid(definition, field, query)
  const said = [field.hint, compared].filter((line): line is string => !!line)
  const { begin_date, end_date } = { ...standingParams(definition), ...query }
  const days = daysSaid(begin_date, end_date)
  return said.length === 0 || days === null ? said : [...said, days]
}

function comparisonSaid(definition: AnyReport, { compares }: FieldSpec, query: Query): string | null {
  if (compares === undefined) return null
  const { begin_date: begin, end_date: end, grain } = { ...standingParams(definition), ...query }
  if (!isDay(begin) || !isDay(end)) return compares === 'year' ? '与去年同期相比' : '与上月同期相比'
  const isByPeriod = groupsAsked(definition, query[GROUP_BY]).includes(PERIOD)
  const step = isByPeriod ? ((grain as Grain | undefined) ?? 'month') : null
  return comparedWords({ begin, end }, definition.analysis ? step : 'month', compares, today())
}
