import { isPositive } from '#kernel/values/decimal.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { policyForItems } from '#server/settings/policies.ts'
import type { ProgressEntry } from '#server/documents/progress/progress.ts'

type Place = Pick<ActionContext, 'tx' | 'session' | 'doc' | 'settings'>

/** 超订单入库比例: the permitted excess over an order in percent, as set for the store and the goods of a line. */
export async function overReceiptPercent(
  { tx, session, doc, settings }: Place,
  goods: readonly (string | null)[],
): Promise<(specification: string | null) => string> {
  const place = { org: session.org.id, warehouse: doc.warehouse_model_inner_sn, department: doc.department_inner_sn }
  const asked = goods.flatMap(one => (one === null ? [] : [one]))
  const own = await policyForItems(tx, place, 'overReceive', asked)
  return specification => String((specification ? own(specification).over_receive : null) ?? settings.over_receive)
}

/** The progress to be counted, with the permitted excess. */
export async function withTolerance(ctx: Place, advances: readonly ProgressEntry[]): Promise<readonly ProgressEntry[]> {
  const over = advances.filter(item => item.over && isPositive(item.quantity))
  if (over.length === 0) return advances
  const percent = await overReceiptPercent(
    ctx,
    over.map(item => item.over!.goods),
  )
  return advances.map(item => (over.includes(item) ? { ...item, percent: percent(item.over!.goods) } : item))
}
