import { compare, type Decimal, plain } from '#kernel/values/decimal.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import type { SpecificationFacts } from '#modules/base/items/item-data.server.ts'

/** 最低限价: the seller's own limit, below which it may not offer, agree or sell. `price`: per base unit. */
export function belowLowest(
  { line_no, price }: { readonly line_no: number; readonly price: Decimal },
  fact: SpecificationFacts | undefined,
): Problem[] {
  if (!fact?.lowest_price || compare(price, fact.lowest_price) >= 0) return []
  const msg = `第${line_no}行：【${fact.product_name}】${fact.name}销售价不能低于最低限价${plain(fact.lowest_price)}`
  return [{ field: 'price', line: line_no, msg }]
}

export function refuseBelowLowest(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
}
