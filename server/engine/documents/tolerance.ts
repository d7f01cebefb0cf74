import { isPositive } from '#kernel/decimal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { rulesOfGoods } from '#server/engine/documents/house-rules.ts'
import type { Advance } from '#server/engine/documents/progress.ts'

type Place = Pick<Acting, 'tx' | 'session' | 'doc' | 'settings'>

/** 超订单入库比例: how many percent beyond an order may come, as the house says for the store and for the goods of a line. */
export async function percentOver(
  { tx, session, doc, settings }: Place,
  goods: readonly (string | null)[],
): Promise<(specification: string | null) => string> {
  const place = { org: session.org.id, warehouse: doc.warehouse_model_inner_sn, department: doc.department_inner_sn }
  const asked = goods.flatMap(one => (one === null ? [] : [one]))
  const own = await rulesOfGoods(tx, place, 'overReceive', asked)
  return specification => String((specification ? own(specification).over_receive : null) ?? settings.over_receive)
}

/** What is about to be counted, with what the house lets come beyond it. */
export async function withTolerance(acting: Place, advances: readonly Advance[]): Promise<readonly Advance[]> {
  const over = advances.filter(item => item.over && isPositive(item.quantity))
  if (over.length === 0) return advances
  const percent = await percentOver(
    acting,
    over.map(item => item.over!.goods),
  )
  return advances.map(item => (over.includes(item) ? { ...item, percent: percent(item.over!.goods) } : item))
}
