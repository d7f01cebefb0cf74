import type { Problem } from '#kernel/refusal.ts'
import { Refusal } from '#kernel/refusal.ts'
import type { Acting } from '#server/public/hooks.ts'
import { rulesOfGoods } from '#server/public/settings.ts'

/** A line that stands above its 挂网价, and the sentence for it. */
export type AboveListed = { readonly specification: string; readonly problem: Problem & { readonly line: number } }

/** 挂网价控制: refused, asked about or let be, as the rule of the house says for the goods of each line. */
export async function judgeListed(acting: Acting, found: readonly AboveListed[]): Promise<void> {
  if (found.length === 0) return
  const { tx, session, doc, settings, questions } = acting
  const place = { org: session.org.id, warehouse: doc.warehouse_model_inner_sn, department: doc.department_inner_sn }
  const own = await rulesOfGoods(
    tx,
    place,
    'priceCap',
    found.map(({ specification }) => specification),
  )
  const how = (specification: string) => own(specification).price_cap ?? settings.price_cap
  const refused = found.filter(({ specification }) => how(specification) === 'refuse').map(({ problem }) => problem)
  if (refused.length > 0) throw new Refusal('rule', refused[0]!.msg, refused)
  for (const { specification, problem } of found)
    if (how(specification) === 'warn')
      questions.push({ rule: 'priceCap', line: problem.line, msg: `${problem.msg}，是否继续？` })
}
