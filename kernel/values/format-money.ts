import { type Decimal, round } from '#kernel/values/decimal.ts'

/** Money in a sentence: two places and thousands separators. */
export function moneyText(amount: Decimal): string {
  const [whole = '0', cents] = round(amount, 2).split('.')
  return `${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}.${cents ?? '00'}`
}
