import { runOnEach } from '#server/public/actions.ts'
import type { ReportCall, ReportRules } from '#server/public/reports.ts'

/** 催货 of the orders of the ticked lines, each once: a supplier is reminded of an order at most once a day. */
const remind: ReportCall = async ({ tx, session, rows }) => {
  const orders = [...new Set(rows.map(row => String(row.document_sn)))]
  const { sns, refused } = await runOnEach(tx, session, { kind: 'purchaseOrder', action: 'remind' }, orders)
  const untouched = refused.length > 0 ? `，${refused.length}张未催：${refused.slice(0, 5).join('；')}` : ''
  return { said: `已催货${sns.length}张订单${untouched}` }
}

export const purchaseOrderWarningRules: ReportRules = { kind: 'purchaseOrderWarning', calls: { remind } }
