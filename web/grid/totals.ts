import { isDecimal } from '#kernel/values/decimal.ts'
import type { GridColumn } from '#web/grid/grid-column.ts'
import type { Line } from '#web/grid/lines.ts'

const PLACES = 4

const scaled = (value: unknown): bigint => {
  const text = String(value ?? '')
  if (!isDecimal(text, PLACES)) return 0n
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole + part.padEnd(PLACES, '0'))
  return text.startsWith('-') ? -size : size
}

const written = (total: bigint): string => {
  const digits = (total < 0n ? -total : total).toString().padStart(PLACES + 1, '0')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`
}

type Summed = { readonly lines: readonly Line[]; readonly totals: ReadonlyMap<string, bigint> }

/** Totals after a change: only changed lines are read again. After inserts or removals everything is summed again. */
function carriedOver(before: Summed, lines: readonly Line[], names: readonly string[]): Map<string, bigint> {
  const totals = new Map(before.totals)
  lines.forEach((line, at) => {
    const old = before.lines[at]
    if (old === line || old === undefined) return
    for (const name of names) {
      if (old.values[name] !== line.values[name])
        totals.set(name, (totals.get(name) ?? 0n) + scaled(line.values[name]) - scaled(old.values[name]))
    }
  })
  return totals
}

const summedAfresh = (lines: readonly Line[], names: readonly string[]): Map<string, bigint> =>
  new Map(names.map(name => [name, lines.reduce((total, line) => total + scaled(line.values[name]), 0n)]))

/** A running sum of the summed columns; remembers the lines it last saw. */
export function createTotals(): (
  lines: readonly Line[],
  columns: readonly GridColumn[],
) => Readonly<Record<string, string>> {
  let last: Summed = { lines: [], totals: new Map() }
  return (lines, columns) => {
    const names = columns.filter(column => column.summed).map(column => column.name)
    const known = last.lines.length === lines.length && names.every(name => last.totals.has(name))
    const totals = known ? carriedOver(last, lines, names) : summedAfresh(lines, names)
    last = { lines, totals }
    return Object.fromEntries(names.map(name => [name, written(totals.get(name) ?? 0n)]))
  }
}
