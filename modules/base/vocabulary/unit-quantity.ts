import { type Decimal, isPositive, share } from '#kernel/values/decimal.ts'

/** A quantity of base units in the line's entered unit, to be printed beside the line quantity. */
export function inEnteredUnit(line: Readonly<Record<string, unknown>>, base: Decimal): Decimal {
  const [entered, whole] = [line.quantity, line.base_quantity].map(value => String(value ?? '0') as Decimal)
  return isPositive(whole!) ? share(base, entered!, whole!, 3) : base
}
