import { isDecimal } from '#kernel/decimal.ts'
import type { GridColumn } from '#web/grid/grid-column.ts'
import type { Line } from '#web/grid/lines.ts'

const PLACES = 4
const known = new WeakMap<Line, Map<string, bigint>>()

const scaled = (value: unknown): bigint => {
  const text = String(value ?? '')
  if (!isDecimal(text, PLACES)) return 0n
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole + part.padEnd(PLACES, '0'))
  return text.startsWith('-') ? -size : size
}

function scaledOf(line: Line, name: string): bigint {
  const kept = known.get(line) ?? new Map<string, bigint>()
  const before = kept.get(name)
  if (before !== undefined) return before
  const value = scaled(line.values[name])
  kept.set(name, value)
  known.set(line, kept)
  return value
}

const written = (total: bigint): string => {
  const digits = (total < 0n ? -total : total).toString().padStart(PLACES + 1, '0')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`
}

/** Sums of the summed columns. A line is read once; only changed ones are read again. */
export function totalsOf(lines: readonly Line[], columns: readonly GridColumn[]): Readonly<Record<string, string>> {
  const totals: Record<string, string> = {}
  for (const { name, summed } of columns) {
    if (!summed) continue
    let total = 0n
    for (const line of lines) total += scaledOf(line, name)
    totals[name] = written(total)
  }
  return totals
}
