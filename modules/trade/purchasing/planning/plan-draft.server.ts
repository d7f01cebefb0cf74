import { isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { needsOf } from '#modules/trade/purchasing/planning/demand.server.ts'
import { purchasePlan } from '#modules/trade/purchasing/planning/purchase-plan.doc.ts'
import { buildDraft, saveDraft } from '#server/public/drafts.ts'
import { requirePermission, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Asked = Readonly<Record<string, unknown>>

/** Drafts a plan of the goods found; if there are none, the message says what to do. */
export async function draftOf(
  tx: Tx,
  session: Session,
  header: Asked,
  lines: readonly Asked[],
  nothing: string,
): Promise<{ readonly sn: string; readonly version: number; readonly line_count: number }> {
  if (lines.length === 0) throw new BusinessError('rule', nothing)
  const draft = await buildDraft(tx, session, purchasePlan, header, [...lines])
  const sn = await saveDraft(tx, session, purchasePlan, draft, 'draft')
  return { sn, version: 1, line_count: lines.length }
}

/**
 * 生成采购计划: plans that fill these goods of a store up to their upper limits, incoming goods considered: one plan for
 * each store, of what is short there. Refuses where nothing is.
 */
export async function planToFill(
  tx: Tx,
  session: Session,
  among: readonly { readonly warehouse: string; readonly specification: string }[],
): Promise<readonly string[]> {
  requirePermission(session, `${purchasePlan.kind}.add`)
  const made: string[] = []
  for (const [warehouse, goods] of Map.groupBy(among, row => row.warehouse)) {
    const sizes = [...new Set(goods.map(row => row.specification))]
    const lines = (await needsOf(tx, session.org.id, warehouse, sizes))
      .filter(need => isPositive(need.proposed_quantity))
      .map(need => ({ specification_sn: need.specification_id, quantity: need.proposed_quantity }))
    const header = { warehouse_model_inner_sn: warehouse, plan_type: 'refill', plan_source: 'low_stock' }
    if (lines.length > 0) made.push((await draftOf(tx, session, header, lines, '')).sn)
  }
  if (made.length === 0) throw new BusinessError('rule', '所选产品的库存与在途已达上限，或没有维护上下限，无需采购')
  return made
}
