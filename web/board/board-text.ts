import { grouped } from '#kernel/values/trimmed.ts'
import { type Against, changeText } from '#kernel/values/comparison.ts'
import { type BoardKind, type BoardRow, CHANGE, NOW } from '#kernel/wall/board-table.ts'
import { MASKED } from '#kernel/wall/wall-definition.ts'
import { bigNumber, NOTHING_TO_SAY, percent } from '#kernel/values/big-number.ts'
import { type Decimal, isDecimal, plain, round } from '#kernel/values/decimal.ts'
import { moneyText } from '#kernel/values/format-money.ts'

const isFigure = (value: string | null | undefined): value is Decimal =>
  typeof value === 'string' && isDecimal(value, 8)

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

/** The change of a figure in a row, in words; empty where the figure is not known. */
export function changeIn({ cells }: Pick<BoardRow, 'cells'>, against: Against | null, as: BoardKind): string {
  const change = cells[CHANGE]
  if (change === MASKED) return MASKED
  if (against === null || !isFigure(cells[NOW])) return NOTHING_TO_SAY
  return changeText(isFigure(change) ? change : null, against, as)
}
