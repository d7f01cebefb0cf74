import { type Decimal, isNegative, isPositive, plain } from '#kernel/values/decimal.ts'

/** The wanted quantity of some goods, the free one, and the stock that is not free. `unfit`: expired, or recalled. */
type Short = {
  readonly free: Decimal
  readonly wanted: Decimal
  readonly reserved?: Decimal
  readonly stopped?: Decimal
  readonly frozen?: Decimal
  readonly unfit?: Decimal
}

/** 库存不足 as people read it, for goods by their name and lot. */
export function shortage(goods: string, { free, wanted, reserved, stopped, frozen, unfit }: Short): string {
  const named = { 已占用: reserved, 已停售: stopped, 已冻结: frozen, 已过期或召回: unfit }
  const held = Object.entries(named).flatMap(([word, quantity]) =>
    quantity !== undefined && isPositive(quantity) ? [`${word}${plain(quantity)}`] : [],
  )
  const beside = held.length === 0 ? '' : `（另有${held.join('、')}）`
  return `库存不足：${goods} 可用${isNegative(free) ? '0' : plain(free)}，需要${plain(wanted)}${beside}`
}
