import type { BusinessDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { qualityStates } from '#kernel/ledger/posting.ts'
import { everyLine } from '#modules/base/vocabulary/validators.ts'
import { counted, held, pieces, remarked, stockedGoods } from '#modules/base/vocabulary/line-fields.ts'

/** Fields of goods that leave without being sold: goods, place and cost. */
export const costedGoods = {
  ...stockedGoods,
  ...pieces('序列号/院内码'),
  ...held,
  quality_state: f.pick('质量状态', qualityStates),
  ...counted(),
  price: f.unitCost('成本单价', { readOnly: true }),
  taxed_amount: f.cost('成本金额', { readOnly: true }),
  ...remarked,
} as const

/** Goods owned by others cannot be given away. */
export const ownGoods = (sentence: string) =>
  everyLine(sentence, (line, doc: BusinessDocument) => line.owner_org_sn === null || line.owner_org_sn === doc.org_sn)
