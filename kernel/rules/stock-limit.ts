import { compare, type Decimal } from '#kernel/values/decimal.ts'

/** True if stock is 低于下限: at its lower limit or under it. `is_low` of the database is the same function. */
export const isLow = (quantity: Decimal, limit: Decimal): boolean => compare(quantity, limit) <= 0
