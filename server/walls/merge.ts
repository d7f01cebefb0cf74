import { type Answer, isMoney, MASKED, type Reading, type Row, STEP } from '#kernel/wall/wall-definition.ts'
import { compare, type Decimal, isDecimal, sum } from '#kernel/values/decimal.ts'
import { median, shareOf } from '#kernel/values/big-number.ts'
import type { Against } from '#kernel/values/comparison.ts'
import { ROWS } from '#server/reports/reading-sql.ts'

/** Places that hold the sums of every kind of figure. */
const PLACES = 4

/** Sums of one figure of several organisations: money that one of them does not show is not shown at all. */
function added(values: readonly (string | null)[]): string {
  if (values.includes(MASKED)) return MASKED
  const figures = values.filter((value): value is string => value !== null && isDecimal(value, 8))
  const places = Math.min(PLACES, Math.max(0, ...figures.map(value => (value.split('.')[1] ?? '').length)))
  return sum(figures as Decimal[], places)
}

const largestOf = (rows: readonly Row[], name: string): string | null =>
  rows
    .flatMap(row => row[name] ?? [])
    .toSorted((a, b) => compare(b as Decimal, a as Decimal))
    .at(0) ?? null

/** The samples of a median of several groups: they are texts of hours until `finished`. */
const samplesOf = (rows: readonly Row[], name: string): string | null =>
  rows.flatMap(row => row[name] || []).join(',') || null

type Figure = string | null | undefined
/** The rate of two sums; hidden where one of them is hidden. */
const rateOf = (of: Figure, by: Figure): string | null =>
  of === MASKED || by === MASKED
    ? MASKED
    : [of, by].every(value => typeof value === 'string' && isDecimal(value, 8))
      ? shareOf(of as Decimal, by as Decimal)
      : null

/** An answer with what is made of its sums: samples become their median, of fewer than three none; rates are shares. */
export function finished({ medians = {}, rates = {}, least = {} }: Reading, answer: Answer): Answer {
  const made = [...Object.keys(medians), ...Object.keys(rates)]
  if (made.length === 0) return answer
  const middleOf = (samples: Figure) => median((samples ?? '').split(',').filter(Boolean) as Decimal[])
  const isEnough = (row: Row) =>
    Object.entries(least).every(([name, value]) => compare((row[name] ?? '0') as Decimal, value) >= 0)
  const whole = (row: Row): Row => ({
    ...row,
    ...Object.fromEntries(Object.keys(medians).map(name => [name, middleOf(row[name])])),
    ...Object.fromEntries(Object.entries(rates).map(([name, [of, by]]) => [name, rateOf(row[of], row[by])])),
  })
  const before = Object.fromEntries(Object.entries(answer.before).map(([against, rows]) => [against, rows.map(whole)]))
  return { ...answer, rows: answer.rows.filter(isEnough).map(whole), before }
}

const figuresOf = ({ sums = [], counts = {} }: Reading): readonly string[] => [...sums, ...Object.keys(counts), ROWS]

/** Groups of the same name of several organisations as one. */
function addedUp(reading: Reading, all: readonly (readonly Row[])[]): Row[] {
  const { by = [], step } = reading
  const names = [...(step ? [STEP] : []), ...by]
  const grouped = Map.groupBy(all.flat(), row => JSON.stringify(names.map(name => row[name] ?? null)))
  return [...grouped.values()].map(rows => ({
    ...Object.fromEntries(names.map(name => [name, rows[0]![name] ?? null])),
    ...Object.fromEntries(figuresOf(reading).map(name => [name, added(rows.map(row => row[name] ?? null))])),
    ...Object.fromEntries(Object.keys(reading.maxima ?? {}).map(name => [name, largestOf(rows, name)])),
    ...Object.fromEntries(Object.keys(reading.medians ?? {}).map(name => [name, samplesOf(rows, name)])),
  }))
}

/** The largest first by the first figure that is shown; by periods in their order. */
function inOrder(reading: Reading, rows: readonly Row[]): Row[] {
  const { step } = reading
  if (step) return rows.toSorted((a, b) => (a[STEP] ?? '').localeCompare(b[STEP] ?? ''))
  const hides = (name: string) => isMoney(reading, name) && rows.some(row => row[name] === MASKED)
  const largest = (reading.sums ?? []).find(name => !hides(name)) ?? ROWS
  return rows.toSorted((a, b) => compare((b[largest] ?? '0') as Decimal, (a[largest] ?? '0') as Decimal))
}

/** Merges the answers of several organisations to one reading: figures are added up, rows are listed together. */
export function mergeAnswers(reading: Reading, answers: readonly Answer[]): Answer {
  const [first] = answers
  if (first === undefined) return { rows: [], total: 0, before: {}, asked: {} }
  if (answers.length === 1) return first
  const cut = (rows: readonly Row[]) => rows.slice(0, reading.take ?? rows.length)
  if (reading.rows) {
    const [order] = reading.rows
    const all = answers.flatMap(({ rows }) => rows).toSorted((a, b) => (b[order!] ?? '').localeCompare(a[order!] ?? ''))
    return { ...first, rows: cut(all), total: answers.reduce((total, answer) => total + answer.total, 0) }
  }
  const rows = inOrder(
    reading,
    addedUp(
      reading,
      answers.map(answer => answer.rows),
    ),
  )
  const before = Object.fromEntries(
    (reading.against ?? []).map((against: Against) => [
      against,
      addedUp(
        reading,
        answers.map(answer => answer.before[against] ?? []),
      ),
    ]),
  )
  return { ...first, rows: cut(rows), total: rows.length, before }
}
