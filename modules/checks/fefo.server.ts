import { isPastUse } from '#kernel/rules/shelf-life.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { availableStock, matchesItem } from '#server/public/stock.ts'

/**
 * 近效期先出: where an earlier-expiring lot of the same goods is available in the warehouse, a later lot leaves only with
 * a reason, on the line or with the action; without one the user is asked.
 */
export async function askForEarlier(ctx: ActionContext, sentence: (lot: string) => string): Promise<void> {
  const { tx, session, doc, settings, reason } = ctx
  if (settings.first_expiry_first === 'off' || reason || !doc.warehouse_model_inner_sn) return
  const lines = doc.lines.filter(line => line.specification_sn && !line.remark)
  const stock = await availableStock(
    tx,
    session.org.id,
    doc.warehouse_model_inner_sn,
    lines.map(line => line.specification_sn!),
    doc.id,
  )
  const leaving = new Set(doc.lines.map(line => line.lot_id))
  for (const line of lines) {
    const earlier = stock.find(
      balance =>
        matchesItem(balance, line.specification_sn) &&
        !leaving.has(balance.lot_id) &&
        balance.quality_state === 'qualified' &&
        isPositive(balance.available) &&
        balance.expiry_date !== null &&
        !isPastUse(balance, doc) &&
        balance.expiry_date < (line.expiry_date ?? '9999'),
    )
    if (!earlier) continue
    const msg = `第${line.line_no}行：${sentence(earlier.lot_no)}`
    if (settings.first_expiry_first === 'refuse')
      throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'remark', msg }])
    ctx.warnings.push({ rule: 'firstExpiryFirst', line: line.line_no, msg })
  }
}
