import { grouped } from '#kernel/values/trimmed.ts'
import { type Decimal, round } from '#kernel/values/decimal.ts'

/** Money in a sentence: two places and thousands separators. */
export function moneyText(amount: Decimal): string {
  const text = round(amount, 2)
  return grouped(text.includes('.') ? text : `${text}.00`)
}
