import { plain, round } from '#kernel/values/decimal.ts'
import type { PrintColumn } from '#kernel/print/print-definition.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { atLeastTwoPlaces } from '#web/fields/kinds/number-input.tsx'

/**
 * The text of a printed cell: quantities without trailing zeros, prices with two to four decimals, amounts with two.
 */
export function cellText({ as = 'text', name }: PrintColumn, line: Row): string {
  const value = line[name]
  if (as === 'blank' || value === null || value === undefined || value === '') return ''
  if (Array.isArray(value)) return value.join('、')
  const text = String(value)
  if (as === 'quantity' || as === 'number') return plain(text)
  if (as === 'price') return atLeastTwoPlaces(text)
  if (as === 'amount') return round(text, 2)
  return as === 'percent' ? `${text}%` : text
}
