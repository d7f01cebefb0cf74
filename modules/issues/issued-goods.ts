import type { Paper } from '#kernel/document.ts'
import { f } from '#kernel/field.ts'
import { qualityStates } from '#kernel/posting.ts'
import { everyLine } from '#modules/guards.ts'
import { counted, held, pieces, remarked, stockedGoods } from '#modules/lines.ts'

/** Goods that leave without being sold: which, from where, and what they had cost. */
export const costedGoods = {
  ...stockedGoods,
  ...pieces('序列号/院内码'),
  ...held,
  quality_state: f.pick('质量状态', qualityStates),
  ...counted(),
  price: f.price('成本单价', { readOnly: true }),
  taxed_amount: f.amount('成本金额', { readOnly: true }),
  ...remarked,
} as const

/** What belongs to somebody else is not ours to give. */
export const ownGoods = (sentence: string) =>
  everyLine(sentence, (line, doc: Paper) => line.owner_org_sn === null || line.owner_org_sn === doc.org_sn)
