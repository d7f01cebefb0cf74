import { type Decimal, divide, isZero } from '#kernel/values/decimal.ts'

/**
 * How many base units the unit of a line holds, eight decimals; 1 where the line counts nothing. Base units of a part
 * of a line are its quantity times this, three decimals.
 */
export const measureOfLine = ({
  quantity,
  base_quantity,
}: {
  readonly quantity: Decimal
  readonly base_quantity: Decimal
}): Decimal => (isZero(quantity) ? '1' : divide(base_quantity, quantity, 8))
