import { byName, mayBeExpired } from '#server/public/documents.ts'
import { isPastUse } from '#kernel/rules/shelf-life.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'
import { availableStock, matchesItem } from '#server/public/stock.ts'

/**
 * True for documents whose user chooses the lot that leaves. Excluded are goods that go back, are destroyed or were
 * used, and goods bound to their source: those already with a customer, or received for this ward.
 */
const choosesLots = ({ definition, doc, action }: ActionContext): boolean => {
  const { posting, compliance, sourcing } = definition
  const isBound = (sourcing.sources ?? []).some(take => take.sourceType === doc.source_type && take.stockedUnderSource)
  const chooses = posting.stockDirection === 'out' && posting.postings !== undefined && !mayBeExpired(definition, doc)
  return (
    action === 'submit' && chooses && compliance.happenedAt === undefined && !isBound && byName(doc).is_direct !== true
  )
}

/**
 * 近效期先出: if an earlier-expiring lot of the same goods is available in the warehouse, a later lot may leave only with a
 * reason, on the line or with the action. Without one the user is asked, or refused if the rule is 强制.
 */
async function askForEarlier(ctx: ActionContext): Promise<void> {
  const { tx, session, definition, doc, settings, reason } = ctx
  if (settings.first_expiry_first === 'off' || reason || !doc.warehouse_model_inner_sn || !choosesLots(ctx)) return
  const isStrict = settings.first_expiry_first === 'refuse'
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
        balance.is_held !== true &&
        balance.is_contained !== true &&
        isPositive(balance.available) &&
        balance.expiry_date !== null &&
        !isPastUse(balance, doc) &&
        balance.expiry_date < (line.expiry_date ?? '9999'),
    )
    if (!earlier) continue
    const asksReason = isStrict || definition.category === 'ward'
    const what = asksReason ? `存在更近效期批次${earlier.lot_no}，请填写原因` : '存在更近效期批次，是否继续？'
    const msg = `第${line.line_no}行：${what}`
    if (isStrict) throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'remark', msg }])
    ctx.warnings.push({ rule: 'firstExpiryFirst', line: line.line_no, msg })
  }
}

export const firstExpiryFirst: ActionCheck = { check: askForEarlier }
