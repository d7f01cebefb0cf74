import type { Problem } from '#kernel/rules/errors.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { policyForItems } from '#server/public/settings.ts'

/** A line above its 挂网价, and the error text for it. */
export type AboveListed = { readonly specification: string; readonly problem: Problem & { readonly line: number } }

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
