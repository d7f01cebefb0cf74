import { grouped } from '#kernel/values/trimmed.ts'
import type { BoardKind } from '#kernel/wall/board-table.ts'
import { MASKED } from '#kernel/wall/wall-definition.ts'
import { bigNumber, NOTHING_TO_SAY, percent, signedPercent } from '#kernel/values/big-number.ts'
import { compare, type Decimal, isDecimal, isNegative, multiply, plain, round } from '#kernel/values/decimal.ts'
import { moneyText } from '#kernel/values/format-money.ts'

const isFigure = (value: string | null | undefined): value is Decimal =>
  typeof value === 'string' && isDecimal(value, 8)
const HUNDRED = '100' as Decimal
const MOST = '10' as Decimal

/** A figure in a table: to its last place, as lists say it. */
export function exactText(value: string | null | undefined, as: BoardKind): string {
  if (value === MASKED) return MASKED
  if (as === 'text') return value ?? NOTHING_TO_SAY
  if (!isFigure(value)) return NOTHING_TO_SAY
  if (as === 'rate') return percent(value)
  if (as === 'days') return round(value, 1)
  return as === 'amount' ? moneyText(value) : grouped(plain(round(value, 3)))
}

/** A figure that is read at a glance: 12.50万. */
export function shortText(value: string | null | undefined, as: BoardKind): string {
  if (!isFigure(value) || as === 'rate' || as === 'days' || as === 'text') return exactText(value, as)
  const shown = as === 'amount' ? round(value, 2) : plain(round(value, 3))
  const { digits, unit } = bigNumber(value, (shown.split('.')[1] ?? '').length)
  return digits + unit
}

/** How a figure changed: rates in points, all others in percent. */
export function changeText(change: string | null | undefined, as: BoardKind): string {
  if (change === MASKED) return MASKED
  if (!isFigure(change)) return NOTHING_TO_SAY
  // Beside almost nothing everything is a thousandfold: how many thousand says no more.
  if (as !== 'rate' && compare(change, MOST) > 0) return '＞+1000%'
  if (as !== 'rate') return signedPercent(change)
  return `${isNegative(change) ? '' : '+'}${multiply(change, HUNDRED, 2)}个百分点`
}

/** Whether it grew: '' where there is nothing to compare with. */
export const wayOf = (change: string | null | undefined): 'up' | 'down' | 'level' =>
  !isFigure(change) || /^-?0*(\.0*)?$/.test(change) ? 'level' : isNegative(change) ? 'down' : 'up'
