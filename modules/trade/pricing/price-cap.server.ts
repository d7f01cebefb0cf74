import type { Problem } from '#kernel/rules/errors.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { compare, type Decimal, divide } from '#kernel/values/decimal.ts'
import type { SpecificationFacts } from '#modules/base/items/item-data.server.ts'
import type { StoredLine } from '#server/public/documents.ts'
import type { packUnits } from '#server/public/drafts.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { policyForItems } from '#server/public/settings.ts'

type Packs = Awaited<ReturnType<typeof packUnits>>

/** A line above its 挂网价, and the error text for it. */
export type AboveListed = { readonly specification: string; readonly problem: Problem & { readonly line: number } }

/** Price of one base unit in yuan, four decimals: lines are priced by pack, agreements and 挂网价 by base unit. */
export const pricePerBase = (line: StoredLine, packs: Packs): Decimal =>
  divide(line.price, String(packs.get(line.unit_inner_sn ?? '')?.base_measure ?? 1), 4)

/** True if goods have a 挂网价 and this price of a base unit is above it. */
export const isAboveListed = (
  price: Decimal,
  fact: SpecificationFacts,
): fact is SpecificationFacts & { readonly listed_price: Decimal } =>
  fact.listed_price !== null && compare(price, fact.listed_price) > 0

/** 挂网价控制: refuses, asks or allows, according to the organisation's rule for the goods of each line. */
export async function checkListed(ctx: ActionContext, found: readonly AboveListed[]): Promise<void> {
  if (found.length === 0) return
  const { tx, session, doc, settings, warnings: questions } = ctx
  const place = { org: session.org.id, warehouse: doc.warehouse_model_inner_sn, department: doc.department_inner_sn }
  const own = await policyForItems(
    tx,
    place,
    'priceCap',
    found.map(({ specification }) => specification),
  )
  const how = (specification: string) => own(specification).price_cap ?? settings.price_cap
  const refused = found.filter(({ specification }) => how(specification) === 'refuse').map(({ problem }) => problem)
  if (refused.length > 0) throw new BusinessError('rule', refused[0]!.msg, refused)
  for (const { specification, problem } of found)
    if (how(specification) === 'warn')
      questions.push({ rule: 'priceCap', line: problem.line, msg: `${problem.msg}，是否继续？` })
}
