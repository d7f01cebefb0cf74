import { add, compare, type Decimal, divide, multiply } from '#kernel/values/decimal.ts'

export const markupMethods = { zero: '零加成', band: '按区间加价', fixed: '固定加价额' } as const
export const roundings = { fen: '分', jiao: '角', yuan: '元' } as const

/** A rule's mark-up on a price: a rate and its cap, or a fixed amount. */
export type Markup = {
  readonly method: keyof typeof markupMethods
  readonly rate: Decimal | null
  readonly fixed_amount: Decimal | null
  readonly cap: Decimal | null
  readonly rounding: keyof typeof roundings
}

/** Rounds half up to the coin; multiply and divide round as they go. */
const toCoin = (value: Decimal, rounding: Markup['rounding']): Decimal => {
  if (rounding === 'fen') return multiply(value, '1', 2)
  const coins = rounding === 'jiao' ? multiply(value, '10', 0) : multiply(value, '1', 0)
  return rounding === 'jiao' ? divide(coins, '10', 2) : multiply(coins, '1', 2)
}

/** 收费价 = 进价 + min(进价 × 加价率, 加价封顶), rounded; without a rule the cost itself. */
export function chargePrice(cost: Decimal, rule: Markup | null): Decimal {
  if (!rule || rule.method === 'zero') return multiply(cost, '1', 4)
  const wanted = rule.method === 'fixed' ? (rule.fixed_amount ?? '0') : multiply(cost, rule.rate ?? '0', 4)
  const added = rule.method === 'band' && rule.cap !== null && compare(wanted, rule.cap) > 0 ? rule.cap : wanted
  return multiply(toCoin(add(cost, added, 4), rule.rounding), '1', 4)
}

/** Bands are [from, to); an open end is unlimited. */
export const inBand = (price: Decimal, from: Decimal | null, to: Decimal | null): boolean =>
  (from === null || compare(price, from) >= 0) && (to === null || compare(price, to) < 0)
