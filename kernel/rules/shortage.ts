import { type Decimal, isNegative, isPositive, plain } from '#kernel/values/decimal.ts'

/**
 * The wanted quantity of some goods, the free one, and the stock that is not free. `unfit`: expired, or recalled;
 * `kept`: inside a container; `elsewhere`: at another place than the one that was named; `others`: of another owner.
 */
type Short = {
  readonly free: Decimal
  readonly wanted: Decimal
  readonly reserved?: Decimal
  readonly stopped?: Decimal
  readonly frozen?: Decimal
  readonly unfit?: Decimal
  readonly kept?: Decimal
  readonly elsewhere?: Decimal
  readonly others?: Decimal
}

const words = {
  reserved: '已占用',
  stopped: '已停售',
  frozen: '已冻结',
  unfit: '已过期或召回',
  kept: '在套包内',
  elsewhere: '在其他货位',
  others: '属其他货主',
} as const

/** 库存不足 as people read it, for goods by their name and lot. */
export function shortage(goods: string, { free, wanted, ...held }: Short): string {
  const named = (Object.keys(words) as (keyof typeof words)[]).flatMap(name => {
    const quantity = held[name]
    return quantity !== undefined && isPositive(quantity) ? [`${words[name]}${plain(quantity)}`] : []
  })
  const beside = named.length === 0 ? '' : `（另有${named.join('、')}）`
  return `库存不足：${goods} 可用${isNegative(free) ? '0' : plain(free)}，需要${plain(wanted)}${beside}`
}
