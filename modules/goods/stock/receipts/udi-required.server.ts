import { isPositive } from '#kernel/values/decimal.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { tradeContext } from '#server/public/drafts.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'

/**
 * Goods from a supplier need a UDI: lot and dates complete it. Class I goods may come without, and so may goods with
 * a recorded reason for having none.
 */
export async function needsUdi({ tx, session, definition, doc }: ActionContext): Promise<void> {
  const facts = await specificationFacts(
    tx,
    doc.lines.flatMap(line => (line.specification_sn ? [line.specification_sn] : [])),
    tradeContext(definition, session, doc),
  )
  const problems = doc.lines.flatMap((line): Problem[] => {
    const fact = facts.get(line.specification_sn ?? '')
    if (!fact?.lacks_udi || fact.device_class === 'I' || !isPositive(line.base_quantity)) return []
    const msg = `第${line.line_no}行：【${fact.product_name}】${fact.name}没有UDI，不能入库；请在产品资料中登记UDI-DI，或填写无UDI-DI说明`
    return [{ field: 'specification_sn', line: line.line_no, msg }]
  })
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
}
