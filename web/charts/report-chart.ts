import { PERIOD } from '#kernel/definition/analysis.ts'
import { type AnyReport, groupsAsked } from '#kernel/definition/report.ts'
import { inexact } from '#kernel/values/inexact.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { NOTHING, type Row } from '#web/fields/field-renderer.ts'

/**
 * A drawing: bars by size, or lines over time, a series a name. It has lengths, not figures: those are in the table.
 */
export type Drawing = {
  readonly title: string
  /** The unit of all its figures, where they have one. */
  readonly unit?: string
  readonly shape: 'bars' | 'lines'
  readonly axis: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** More series than this cannot be distinguished; the smaller ones are drawn together. */
const MOST_SERIES = 6
/** More bars than this are no ranking any more. */
const MOST_BARS = 20
const OTHERS = '其他'
/** Rows without a name: of no department, of no partner. */
const UNNAMED = '未指定'

/**
 * The main measure of an analysis: over time where it is grouped by period, with a line for each of the largest groups
 * and one for all others; else its largest groups as bars. Nothing to draw without rows.
 */
export function drawingOf(report: AnyReport, groupBy: unknown, rows: readonly Row[]): Drawing | null {
  const { analysis } = report
  if (!analysis || rows.length === 0) return null
  const groups = groupsAsked(report, groupBy)
  const others = groups.filter(name => name !== PERIOD)
  const title = report.columns[analysis.main]!.label
  const nameOf = (row: Row): string => (others.length === 0 ? title : nameOfRow(report, others, row))
  const sizeOf = (row: Row): number => inexact(row[analysis.main] as string | null) || 0
  if (!groups.includes(PERIOD)) {
    const largest = [...rows].toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MOST_BARS)
    return { title, shape: 'bars', axis: largest.map(nameOf), series: [{ name: title, values: largest.map(sizeOf) }] }
  }
  const axis = [...new Set(rows.map(row => String(row[PERIOD] ?? '')))].toSorted()
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + sizeOf(row))
  const largest = [...sums].toSorted((a, b) => b[1] - a[1]).slice(0, MOST_SERIES)
  const drawn = largest.map(([name]) => name)
  const valuesOf = (isOf: (name: string) => boolean): number[] =>
    axis.map(period =>
      rows
        .filter(row => String(row[PERIOD] ?? '') === period && isOf(nameOf(row)))
        .reduce((total, row) => total + sizeOf(row), 0),
    )
  const rest = sums.size > drawn.length ? [{ name: OTHERS, values: valuesOf(name => !drawn.includes(name)) }] : []
  return {
    title,
    shape: 'lines',
    axis,
    series: [...drawn.map(name => ({ name, values: valuesOf(each => each === name) })), ...rest],
  }
}

/** The text of a cell, as in the table. */
function textOf(report: AnyReport, name: string, row: Row): string {
  const field = report.columns[name]!
  return faces[field.as].text({ field, name, value: row[name], row })
}

/**
 * The months of some rows of a report as lines (趋势图), a month that a row lacks as a gap; units that differ stand
 * beside the names. Nothing to draw without rows, or of a report without such months.
 */
export function trendOf(report: AnyReport, rows: readonly Row[]): Drawing | null {
  const { trend } = report
  const drawn = rows.slice(0, MOST_SERIES)
  if (!trend || drawn.length === 0) return null
  const lines = drawn.map(row => ({
    name: nameOfRow(report, trend.name, row),
    unit: String(row[trend.unit] ?? ''),
    months: new Map(
      String(row[trend.months] ?? '')
        .split(',')
        .map(pair => pair.split('=') as [string, string]),
    ),
  }))
  const axis = [...new Set(lines.flatMap(({ months }) => [...months.keys()]))].filter(Boolean).toSorted()
  const units = new Set(lines.map(({ unit }) => unit))
  const [only] = units
  return {
    title: trend.title,
    ...(units.size === 1 && only ? { unit: only } : {}),
    shape: 'lines',
    axis,
    series: lines.map(({ name, unit, months }) => ({
      name: units.size > 1 && unit ? `${name}（${unit}）` : name,
      values: axis.map(month => (months.has(month) ? inexact(months.get(month)!) : Number.NaN)),
    })),
  }
}

/** The columns that name a row, as in the table. */
const nameOfRow = (report: AnyReport, names: readonly string[], row: Row): string =>
  names
    .map(name => textOf(report, name, row))
    .filter(text => text !== NOTHING)
    .join(' · ') || UNNAMED
